import * as z from "zod";

/** A schema in the dialect of JSON Schema that OpenAPI 3.1 uses (2020-12). */
export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A schema, and the named schemas that it refers to as `#/$defs/<name>`. */
interface JsonSchemaDocument {
  readonly schema: JsonSchema;
  readonly definitions: Record<string, JsonSchema>;
}

/**
 * Converts a schema to JSON Schema.
 *
 * @param io "input" for what a caller sends, "output" for what the service returns
 */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchemaDocument {
  const { $schema: _, $defs, ...root } = z.toJSONSchema(schema, { io, override: refine });
  return { schema: root, definitions: { ...$defs } };
}

/** Adds what zod omits (defaults and examples before a transform, integers) and removes what it adds (safe-integer bounds). */
function refine({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  const definition = (zodSchema as z.core.$ZodTypes)._zod.def;
  if (definition.type === "default") jsonSchema.default = definition.defaultValue;
  const examples = z.globalRegistry.get(zodSchema)?.["examples"];
  if (Array.isArray(examples)) jsonSchema.examples = examples;
  if (jsonSchema.type === "number" && jsonSchema.enum?.every(Number.isInteger)) jsonSchema.type = "integer";
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  removeRefusedProperties(jsonSchema);
}

/** Removes properties that accept no value. The schema has them only for their message. */
function removeRefusedProperties({ properties }: JsonSchema): void {
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (typeof property === "object" && property.not !== undefined) delete properties?.[name];
  }
}
