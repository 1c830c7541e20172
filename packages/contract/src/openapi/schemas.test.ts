import { describe, expect, test } from "vitest";
import { openApiDocument } from "../openapi.ts";
import { createWebsiteBody, updateWebsiteBody } from "../schemas/website.ts";

describe.each([
  ["CreateWebsite", createWebsiteBody, { privacy: 0, email: 0, exclude_bots: 1, exclude_params: [], exclude_ips: [] }],
  ["UpdateWebsite", updateWebsiteBody, {}],
])("the schema %s", (name, schema, defaults) => {
  const described = openApiDocument.components.schemas[name];

  test("has every field that the operation accepts, with its description", () => {
    const taken = Object.keys(schema.shape).filter((field) => name === "CreateWebsite" || field !== "domain");
    expect(Object.keys(described?.properties ?? {}).sort()).toEqual(taken.sort());
    for (const field of Object.values(described?.properties ?? {})) expect(field).toHaveProperty("description");
  });

  test("has the defaults of docs/interface.md, section 2", () => {
    const properties = Object.entries(described?.properties ?? {});
    const found = properties.flatMap(([field, property]) =>
      typeof property === "object" && property.default !== undefined ? [[field, property.default]] : [],
    );
    expect(Object.fromEntries(found)).toEqual(defaults);
  });
});
