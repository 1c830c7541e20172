import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { renderSiteFileSchema } from "../scripts/render-site-file-schema.ts";
import siteFileSchema from "../siteward.schema.json" with { type: "json" };
import { readSiteFile } from "../src/files/site/read-site-file.ts";

test("siteward.schema.json is up to date; if it is not, run `pnpm generate`", () => {
  expect(readFileSync(new URL("../siteward.schema.json", import.meta.url), "utf8")).toBe(renderSiteFileSchema());
});

describe("an editor with the schema and `siteward check` agree", () => {
  // The types of the library know fewer keywords than it reads.
  const schema = z.fromJSONSchema(siteFileSchema as Parameters<typeof z.fromJSONSchema>[0]);
  const websites = (fields: string) => `version: 1\nwebsites: [{domain: a.example, ${fields}}]`;

  test.each([
    "version: 1\nwebsites: []",
    "version: 1\nwebsites: [a.example, {domain: b.example}]",
    "version: 1\ndefaults: {privacy: private, email: on, exclude_params: [utm_*, 42, null, true]}\n" +
      "websites: [a.example]",
    "x-office: &office [203.0.113.7]\nversion: 1\nwebsites: [{domain: a.example, exclude_ips: *office}]",
    'version: 1\nlists: {office: [203.0.113.7, "@vpn-2"], vpn-2: 10.0.0.1, none: [], 1.5: [42, null]}\n' +
      'websites: [{domain: a.example, exclude_ips: ["@office"], exclude_params: "@1.5, @@x"}]',
    websites("privacy: public, exclude_bots: false, exclude_ips: [203.0.113.0/24]"),
    websites("privacy: 1, email: 0, exclude_params: 'utm_*, ref'"),
    websites("privacy: password, password_env: A_PASSWORD"),
    websites("privacy: password, password_env: SITEWARD_PASSWORD_A_EXAMPLE"),
    websites("privacy: password, password_file: secrets/a.txt"),
  ])("that this is valid: %j", async (text) => {
    expect(schema.safeParse(load(text))).toMatchObject({ success: true });
    expect((await readSiteFile(text)).problems).toEqual([]);
  });

  test.each([
    "websites: []",
    "version: 2\nwebsites: []",
    "version: 1",
    "version: 1\nwebsites: {a.example: {}}",
    "version: 1\nwebsites: [[a.example]]",
    "version: 1\nwebsites: [{email: on}]",
    "version: 1\nwebsites: []\nsites: []",
    "version: 1\nwebsites: []\nX-office: []",
    "version: 1\ndefaults: {x-office: []}\nwebsites: []",
    "version: 1\ndefaults: {domain: a.example}\nwebsites: []",
    "version: 1\nlists: [office]\nwebsites: []",
    "version: 1\nlists: {office: }\nwebsites: []",
    "version: 1\nlists: {office: {a: b}}\nwebsites: []",
    "version: 1\nlists: {'the office': []}\nwebsites: []",
    "version: 1\nlists: {'@office': []}\nwebsites: []",
    websites("privacy: secret"),
    websites("privacy: 3"),
    websites("email: sometimes"),
    websites("exclude_params: {a: b}"),
    websites(`exclude_params: [${Array.from({ length: 101 }, (_, index) => `p${index}`).join(", ")}]`),
    websites("password: correct horse"),
    websites("privacy: password, password_env: correct horse"),
    websites("privacy: password, password_env: SITEWARD_API_KEY"),
    websites("emial: on"),
  ])("that this is not valid: %j", async (text) => {
    expect(schema.safeParse(load(text)).success).toBe(false);
    expect((await readSiteFile(text)).problems).not.toEqual([]);
  });
});
