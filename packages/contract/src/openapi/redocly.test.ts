import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";
import { openApiDocument } from "../openapi.ts";

describe("the OpenAPI document", () => {
  test("passes the strict rules of Redocly", async () => {
    expect(await lint(openApiDocument)).toEqual([]);
  });

  test.each([
    [
      "a reference that leads nowhere",
      { ...openApiDocument, components: { ...openApiDocument.components, responses: {} } },
      "no-unresolved-refs",
    ],
    ["no licence", { ...openApiDocument, info: { title: "Siteward", version: "1" } }, "info-license"],
  ])("does not pass those rules with %s", async (_what, document, rule) => {
    expect(await lint(document)).toContain(rule);
  });
});

async function lint(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: "/openapi.json",
    config,
  });
  return problems.map(({ ruleId }) => ruleId);
}
