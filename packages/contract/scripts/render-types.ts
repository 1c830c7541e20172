import type * as z from "zod";
import { type JsonSchema, toJsonSchema } from "../src/openapi/json-schema.ts";
import { account } from "../src/schemas/account.ts";
import { listWebsitesQuery, websitePage } from "../src/schemas/page.ts";
import { problem } from "../src/schemas/problem.ts";
import { createWebsiteBody, updateWebsiteBody, website } from "../src/schemas/website.ts";
import { listFields, readOnlyFields } from "../src/website-fields.ts";

/** The same as in `biome.json`. */
const maxLineLength = 120;

/**
 * The types that a client's program names. `input` is what a caller sends, `output` is what the service returns. A `…Body` is
 * what HTTP transports. The type next to it is what a function of the SDK accepts for it.
 */
const shapes: Record<string, Shape> = {
  Website: { schema: website, io: "output", readOnly: readOnlyFields },
  CreateWebsiteBody: { schema: createWebsiteBody, io: "input" },
  CreateWebsite: { schema: createWebsiteBody, io: "input", lists: listFields },
  UpdateWebsiteBody: { schema: updateWebsiteBody, io: "input" },
  UpdateWebsite: { schema: updateWebsiteBody, io: "input", lists: listFields },
  ListWebsites: { schema: listWebsitesQuery, io: "input" },
  WebsitePage: { schema: websitePage, io: "output" },
  Account: { schema: account, io: "output" },
  Problem: { schema: problem, io: "output" },
};

interface Shape {
  readonly schema: z.ZodType;
  readonly io: "input" | "output";
  /** The fields that a program cannot assign, so that it does not expect to change them by sending the record back. */
  readonly readOnly?: readonly string[];
  /** The lists that can also be a read-only array, or null for the empty list. HTTP has neither, so no `…Body` does. */
  readonly lists?: readonly string[];
}

/**
 * Renders the schemas as plain TypeScript types, so that a client's declarations name neither zod nor ts-rest. A type test checks
 * that each is exactly what its schema infers.
 */
export function renderTypes(): string {
  const interfaces = Object.entries(shapes).map(([name, shape]) => {
    const { schema: root, definitions } = toJsonSchema(shape.schema, shape.io);
    return renderInterface(name, definitions[nameOf(root)] ?? root, shape);
  });
  return `// Generated from the schemas by \`pnpm generate\`; do not edit.\n\n${interfaces.join("\n")}`;
}

/** Renders an object, and before it each object in it as a type of its own, so that an editor can name it. */
function renderInterface(name: string, json: JsonSchema, { readOnly = [], lists = [] }: Partial<Shape>): string {
  const required = new Set(json.required);
  const parts: string[] = [];
  const fields = Object.entries(json.properties ?? {}).map(([field, value]) => {
    const schema = asSchema(value);
    const part = schema.properties === undefined ? undefined : `${name}${toPascalCase(field)}`;
    if (part !== undefined) parts.push(renderInterface(part, schema, {}));
    const accepted = lists.includes(field) ? acceptedList : otherType;
    const type = [part ?? renderType(schema, accepted.modifier), ...accepted.alternatives];
    if (!required.has(field)) type.push("undefined");
    const comment = docComment({ ...schema, description: `${schema.description}${accepted.meaning}` }, "  ");
    const modifier = readOnly.includes(field) ? "readonly " : "";
    return `${comment}${wrapUnion(`  ${modifier}${field}${required.has(field) ? "" : "?"}: ${type.join(" | ")};`)}\n`;
  });
  const text = `${docComment(json, "")}export interface ${name} {\n${fields.join("")}}\n`;
  return [...parts, text].join("\n");
}

/** What the types of a list that a function accepts have, and no other type. */
const acceptedList = { modifier: "readonly ", alternatives: ["null"], meaning: " Null means the empty list." };
const otherType: typeof acceptedList = { modifier: "", alternatives: [], meaning: "" };

/** Returns the name that a schema refers to, or an empty string. */
function nameOf({ $ref = "" }: JsonSchema): string {
  return $ref.replace(/^.*\//, "");
}

function toPascalCase(field: string): string {
  return field.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Breaks a union that is too long for a line, as the formatter does. */
function wrapUnion(signature: string): string {
  if (signature.length <= maxLineLength) return signature;
  return signature.replace(": ", ":\n    | ").replaceAll(/(?<=[^\n ]) \| /g, "\n    | ");
}

function renderType(schema: JsonSchema, arrayModifier = ""): string {
  if (schema.$ref !== undefined) return nameOf(schema);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((part) => renderType(asSchema(part), arrayModifier)).join(" | ");
  }
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => renderType({ ...schema, type })).join(" | ");
  }
  switch (schema.type) {
    case "array": {
      const item = renderType(asSchema(schema.items));
      return `${arrayModifier}${item.includes(" ") ? `(${item})` : item}[]`;
    }
    case "object":
      return `Record<string, ${renderType(asSchema(schema.additionalProperties))}>`;
    case "integer":
      return "number";
    case "string":
    case "boolean":
    case "number":
    case "null":
      return schema.type;
    default:
      throw new Error(`No TypeScript type for the schema ${JSON.stringify(schema)}`);
  }
}

function docComment(schema: JsonSchema, indent: string): string {
  const lines = [
    schema.description,
    schema.default === undefined ? undefined : `@default ${JSON.stringify(schema.default)}`,
  ].filter((line) => line !== undefined);
  if (lines.length === 0) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

function asSchema(value: unknown): JsonSchema {
  // Every keyword of JSON Schema is optional, so any plain object is one.
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonSchema;
  throw new Error(`Expected a schema, not ${JSON.stringify(value)}`);
}
