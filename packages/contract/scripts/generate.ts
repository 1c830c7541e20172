import { writeFileSync } from "node:fs";
import { openApiDocument } from "../src/openapi/document.ts";
import { listWebsitesQuery } from "../src/schemas/page.ts";
import { listFields, readOnlyFields } from "../src/website-fields.ts";

/** The keywords that the schemas of the document have. */
interface JsonSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
}

/** How a type differs from its schema. */
interface Shape {
  /** The fields that a program cannot assign, so that it does not expect to change them by sending the record back. */
  readonly readOnly?: readonly string[];
  /** The lists that can also be a read-only array, or null for the empty list, as the SDK accepts them. */
  readonly lists?: readonly string[];
}

/** The types that a client's program names, in the file's order. */
const shapes: Readonly<Record<string, Shape>> = {
  Website: { readOnly: readOnlyFields },
  CreateWebsite: { lists: listFields },
  UpdateWebsite: { lists: listFields },
  ListWebsites: {},
  WebsitePage: {},
  Account: {},
  Problem: {},
};

const schemas: Readonly<Record<string, JsonSchema>> = readSchemas();

// The build adds these to the compiled sources.
writeFileSync(new URL("../dist/openapi.json", import.meta.url), `${JSON.stringify(openApiDocument, null, 2)}\n`);
writeFileSync(new URL("../dist/types.d.ts", import.meta.url), renderTypes());

/** Returns the schemas of the document by name, and the query of a list as one more. */
function readSchemas(): Record<string, JsonSchema> {
  const { components, paths } = JSON.parse(JSON.stringify(openApiDocument));
  const query = paths["/api/v1/websites"].get.parameters.filter(
    (parameter: { in?: string }) => parameter.in === "query",
  );
  const properties = Object.fromEntries(
    query.map(({ name, schema }: { name: string; schema: JsonSchema }) => [name, schema]),
  );
  return { ...components.schemas, ListWebsites: { description: listWebsitesQuery.description ?? "", properties } };
}

/** Renders the schemas as plain TypeScript types, so that a client's declarations name neither zod nor ts-rest. */
function renderTypes(): string {
  return Object.entries(shapes)
    .map(([name, shape]) => renderInterface(name, schemas[name] ?? {}, shape))
    .join("\n");
}

/** Renders an object, and before it each object in it as a type of its own, so that an editor can name it. */
function renderInterface(name: string, schema: JsonSchema, shape: Shape): string {
  const properties = Object.entries(schema.properties ?? {});
  const parts = properties
    .filter(([, part]) => part.properties !== undefined)
    .map(([field, part]) => renderInterface(name + toPascalCase(field), part, {}));
  const fields = properties.map(([field, value]) => {
    const type = value.properties === undefined ? value : { ...value, $ref: name + toPascalCase(field) };
    return renderField(field, type, { ...shape, isRequired: schema.required?.includes(field) ?? false });
  });
  return [...parts, `${docComment(schema)}export interface ${name} {\n${fields.join("")}}\n`].join("\n");
}

function toPascalCase(field: string): string {
  return field.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

interface Field extends Shape {
  readonly isRequired: boolean;
}

function renderField(name: string, schema: JsonSchema, { readOnly = [], lists = [], isRequired }: Field): string {
  const isList = lists.includes(name);
  const description = `${schema.description}${isList ? " Null means the empty list." : ""}`;
  const types = [renderType(schema, isList ? "readonly " : "")];
  if (isList) types.push("null");
  if (!isRequired) types.push("undefined");
  const modifier = readOnly.includes(name) ? "readonly " : "";
  const signature = `  ${modifier}${name}${isRequired ? "" : "?"}: ${types.join(" | ")};\n`;
  return docComment({ ...schema, description }, "  ") + signature;
}

function renderType(schema: JsonSchema, arrayModifier = ""): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*\//, "");
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map((part) => renderType(part, arrayModifier)).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => renderType({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "array": {
      const item = renderType(schema.items ?? {});
      return `${arrayModifier}${item.includes(" ") ? `(${item})` : item}[]`;
    }
    case "object":
      return `Record<string, ${renderType(schema.additionalProperties ?? {})}>`;
    case "integer":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    default:
      throw new Error(`No TypeScript type for the schema ${JSON.stringify(schema)}`);
  }
}

function docComment(schema: JsonSchema, indent = ""): string {
  const lines = [schema.description];
  if (schema.default !== undefined) lines.push(`@default ${JSON.stringify(schema.default)}`);
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}
