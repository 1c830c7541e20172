import type * as z from "zod";
import { type JsonSchema, toJsonSchema } from "./json-schema.ts";

/** Returns the schema as it appears in place. A schema with a name is a reference to `components/schemas`. */
export function describeSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return rewriteReferences(toJsonSchema(schema, io).schema);
}

/** Returns the named schemas that a schema consists of, including itself, as they appear in `components/schemas`. */
export function namedSchemas(schema: z.ZodType, io: "input" | "output"): Record<string, JsonSchema> {
  return rewriteReferences(toJsonSchema(schema, io).definitions);
}

/** Returns the name of the schema that a reference points to. */
export function nameOf(schema: JsonSchema): string | undefined {
  return schema.$ref?.replace(/^.*\//, "");
}

function rewriteReferences<Value>(value: Value): Value {
  const text = JSON.stringify(value, (key, part: unknown) =>
    key === "$ref" && typeof part === "string" ? part.replace("#/$defs/", "#/components/schemas/") : part,
  );
  // Only the strings of references differ.
  return JSON.parse(text) as Value;
}
