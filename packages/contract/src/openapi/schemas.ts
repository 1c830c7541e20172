import type * as z from "zod";
import { type JsonSchema, toJsonSchema } from "./json-schema.ts";

/** A schema in place: one with a name is a reference to `components/schemas`. */
export function describeSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return rewriteReferences(toJsonSchema(schema, io).schema);
}

/** The named schemas that a schema is made of, itself included, as they stand in `components/schemas`. */
export function namedSchemas(schema: z.ZodType, io: "input" | "output"): Record<string, JsonSchema> {
  return rewriteReferences(toJsonSchema(schema, io).definitions);
}

/** The name of the schema that a reference points to. */
export function nameOf(schema: JsonSchema): string | undefined {
  return schema.$ref?.replace(/^.*\//, "");
}

function rewriteReferences<Value>(value: Value): Value {
  const text = JSON.stringify(value, (key, part: unknown) =>
    key === "$ref" && typeof part === "string" ? part.replace("#/$defs/", "#/components/schemas/") : part,
  );
  // Only the texts of references differ.
  return JSON.parse(text) as Value;
}
