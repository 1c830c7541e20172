import type * as z from "zod";
import { type JsonSchema, toJsonSchema } from "../src/openapi/json-schema.ts";
import { account } from "../src/schemas/account.ts";
import { listWebsitesQuery, websitePage } from "../src/schemas/page.ts";
import { problem } from "../src/schemas/problem.ts";
import { createWebsiteBody, updateWebsiteBody, website } from "../src/schemas/website.ts";
import { readOnlyFields } from "../src/website-fields.ts";

/** The same as in `biome.json`. */
const maxLineLength = 120;

/** The types that a client's program names. `input` is what a caller sends, `output` is what the service returns. */
const shapes: Record<string, Shape> = {
  Website: { schema: website, io: "output", readOnly: readOnlyFields },
  CreateWebsite: { schema: createWebsiteBody, io: "input" },
  UpdateWebsite: { schema: updateWebsiteBody, io: "input" },
  ListWebsitesQuery: { schema: listWebsitesQuery, io: "input" },
  WebsitePage: { schema: websitePage, io: "output" },
  Account: { schema: account, io: "output" },
  Problem: { schema: problem, io: "output" },
};

interface Shape {
  readonly schema: z.ZodType;
  readonly io: "input" | "output";
  /** The fields that a program cannot assign, so that it does not expect to change them by sending the record back. */
  readonly readOnly?: readonly string[];
}

/**
 * Renders the schemas as plain TypeScript types, so that a client's declarations name neither zod nor ts-rest. A type test checks
 * that each is exactly what its schema infers.
 */
export function renderTypes(): string {
  const interfaces = Object.entries(shapes).map(([name, { schema, io, readOnly }]) => {
    const { schema: root, definitions } = toJsonSchema(schema, io);
    const json = definitions[name] ?? root;
    return `${docComment(json, "")}export interface ${name} ${renderObject(json, "", readOnly)}\n`;
  });
  return `// Generated from the schemas by \`pnpm generate\`; do not edit.\n\n${interfaces.join("\n")}`;
}

function renderObject(schema: JsonSchema, indent: string, readOnly: readonly string[] = []): string {
  const inner = `${indent}  `;
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([name, value]) => {
    const field = asSchema(value);
    const type = required.has(name) ? renderType(field, inner) : `${renderType(field, inner)} | undefined`;
    const signature = `${inner}${readOnly.includes(name) ? "readonly " : ""}${name}${required.has(name) ? "" : "?"}: ${type};`;
    return `${docComment(field, inner)}${wrapUnion(signature, inner)}\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

/** Breaks a union that is too long for a line, as the formatter does. */
function wrapUnion(signature: string, indent: string): string {
  if (signature.length <= maxLineLength || signature.includes("\n")) return signature;
  return signature.replace(": ", `:\n${indent}  | `).replaceAll(/(?<=[^\n ]) \| /g, `\n${indent}  | `);
}

function renderType(schema: JsonSchema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*\//, "");
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map((part) => renderType(asSchema(part), indent)).join(" | ");
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => renderType({ ...schema, type }, indent)).join(" | ");
  }
  switch (schema.type) {
    case "array": {
      const item = renderType(asSchema(schema.items), indent);
      return item.includes(" ") ? `(${item})[]` : `${item}[]`;
    }
    case "object":
      return schema.properties === undefined
        ? `Record<string, ${renderType(asSchema(schema.additionalProperties), indent)}>`
        : renderObject(schema, indent);
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
