import { openApiDocument } from "@siteward/contract/openapi";
import { excludeIps, excludeParams, Privacy, passwordLength } from "@siteward/contract/website-settings";
import { schemaUrl } from "../src/site-file/format-site-file.ts";
import type { SettingName } from "../src/site-file/settings.ts";

/** A schema in the dialect of JSON Schema that most editors know. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** What a site file accepts for each setting, beyond what the contract says about it. */
const forms: Readonly<Record<SettingName, JsonSchema>> = {
  privacy: {
    anyOf: [{ enum: Object.keys(Privacy).map((name) => name.toLowerCase()) }, { enum: Object.values(Privacy) }],
    default: "public",
  },
  email: { ...switchForm(), default: false },
  exclude_bots: { ...switchForm(), default: true },
  exclude_params: listForm(excludeParams.maxEntries),
  exclude_ips: listForm(excludeIps.maxEntries),
};

/** Renders the JSON Schema of site files. The meaning of each field is the contract's. */
export function renderSiteFileSchema(): string {
  const settings = Object.fromEntries(
    Object.entries(forms).map(([name, form]) => [name, { description: meaningOf(name), ...form }]),
  );
  const fields = { ...settings, ...passwordFields() };
  const domain = { description: meaningOf("domain"), type: "string", examples: ["example.com"] };
  const schema: JsonSchema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: schemaUrl,
    title: "Siteward site file",
    description: "Websites and their settings, for `siteward plan`, `apply` and `check`.",
    type: "object",
    properties: {
      version: { description: "The version of this format.", const: 1 },
      defaults: {
        description: "The settings of every website that states no others.",
        type: "object",
        properties: fields,
        additionalProperties: false,
      },
      websites: {
        description: "The websites: a domain alone, or a domain with settings.",
        type: "array",
        items: {
          anyOf: [
            domain,
            { type: "object", properties: { domain, ...fields }, required: ["domain"], additionalProperties: false },
          ],
        },
      },
    },
    required: ["version", "websites"],
    additionalProperties: false,
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** Returns the contract's description of a field, without how to send it in a request. */
function meaningOf(field: string): string {
  const properties = openApiDocument.components.schemas["CreateWebsite"]?.properties ?? {};
  const property = properties[field];
  const description = typeof property === "object" ? property.description : undefined;
  if (description === undefined) throw new Error(`The contract does not describe the field ${field}.`);
  return description.replace(/ Send an array .*$/, "");
}

function switchForm(): JsonSchema {
  return { anyOf: [{ type: "boolean" }, { enum: ["on", "off", 1, 0] }] };
}

function listForm(maxItems: number): JsonSchema {
  // Parameters named 42, null or true need no quotes.
  return {
    anyOf: [{ type: "array", items: { type: ["string", "number", "boolean", "null"] }, maxItems }, { type: "string" }],
    default: [],
  };
}

function passwordFields(): Readonly<Record<string, JsonSchema>> {
  const length = `${passwordLength.min} to ${passwordLength.max} characters`;
  return {
    password_env: {
      description: `The environment variable that contains the password, of ${length}. For privacy: password.`,
      type: "string",
      pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
      examples: ["SHOP_PASSWORD"],
    },
    password_file: {
      description: `The file that contains the password, of ${length}, relative to this file. For privacy: password.`,
      type: "string",
    },
  };
}
