import openApiDocument from "@siteward/contract/openapi.json" with { type: "json" };
import { entryGrammars, passwordLength } from "@siteward/contract/plain";
import { schemaUrl } from "../src/files/site/format.ts";
import { listName } from "../src/files/site/list-parts.ts";
import { bySetting, completeSettings, readableSetting, type Setting } from "../src/websites/settings.ts";

/** A schema in the dialect of JSON Schema that most editors know. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** Parameters named 42, null or true need no quotes. */
const entry: JsonSchema = { type: ["string", "number", "boolean", "null"] };

/** Renders the JSON Schema of site files. The meaning of each field is the contract's. */
export function renderSiteFileSchema(): string {
  const fields = { ...bySetting(settingSchema), ...passwordFields() };
  const domain = { description: meaningOf("domain"), type: "string", examples: ["example.com"] };
  const schema: JsonSchema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: schemaUrl,
    title: "Siteward site file",
    description: "Websites and their settings, for `siteward plan`, `apply` and `check`.",
    type: "object",
    properties: {
      version: { description: "The version of this format.", const: 1 },
      lists: {
        description:
          'Lists that websites share: a name, and entries. A setting contains one as "@name", and so does another list.',
        type: "object",
        propertyNames: { pattern: listName.source },
        additionalProperties: {
          anyOf: [
            { type: "array", items: entry },
            { type: "string", minLength: 1 },
          ],
        },
      },
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
    patternProperties: { "^x-": { description: "Ignored. A place for anchors that the websites share." } },
    additionalProperties: false,
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** Returns the contract's description of a field, without how to send it in a request. */
function meaningOf(field: string): string {
  const { properties }: { properties: Readonly<Record<string, { description: string }>> } =
    openApiDocument.components.schemas.CreateWebsite;
  const description = properties[field]?.description;
  if (description === undefined) throw new Error(`The contract does not describe the field ${field}.`);
  return description.replace(/ Send an array .*$/, "");
}

/** Returns what a site file accepts for a setting. */
function settingSchema(setting: Setting): JsonSchema {
  const { name } = setting;
  return {
    description: meaningOf(name),
    anyOf: formsOf(setting),
    default: readableSetting(name, completeSettings({})[name]),
  };
}

function formsOf(setting: Setting): readonly JsonSchema[] {
  switch (setting.kind) {
    case "switch":
      return [{ type: "boolean" }, { enum: ["on", "off", 1, 0] }];
    case "level":
      return [{ enum: Object.values(setting.levels) }, { enum: Object.keys(setting.levels).map(Number) }];
    case "list": {
      const { maxEntries } = entryGrammars[setting.name];
      return [{ type: "array", items: entry, maxItems: maxEntries }, { type: "string" }];
    }
  }
}

function passwordFields(): Readonly<Record<string, JsonSchema>> {
  const length = `${passwordLength.min} to ${passwordLength.max} characters`;
  return {
    password_env: {
      description: `The environment variable that contains the password, of ${length}. For privacy: password.`,
      type: "string",
      // Not a setting of siteward, such as SITEWARD_API_KEY.
      pattern: "^(?!SITEWARD_(?!PASSWORD_))[A-Za-z_][A-Za-z0-9_]*$",
      examples: ["SHOP_PASSWORD"],
    },
    password_file: {
      description: `The file that contains the password, of ${length}, relative to this file. For privacy: password.`,
      type: "string",
    },
  };
}
