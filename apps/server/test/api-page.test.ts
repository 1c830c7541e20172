import openApiDocument from "@siteward/contract/openapi.json" with { type: "json" };
import { expect, test } from "vitest";
import { type ApiDocument, toPageDocument } from "../page/page-document.ts";
import { engines } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

test("what the page at /docs and other viewers of the OpenAPI document fill in changes nothing if it is sent as it is", async () => {
  await using server = await startTestServer(engines.sqlite);
  const secret = { domain: "example.com", privacy: 2, password: "correct horse", email: 1, exclude_bots: 0 };
  const json = { ...secret, exclude_params: ["ref"], exclude_ips: ["203.0.113.7"] };
  const { website } = await server.call("POST", "/api/v1/websites", { json });
  // The cast is safe: the page gets this document from the server.
  const page = toPageDocument(openApiDocument as unknown as ApiDocument, "http://127.0.0.1:3000/docs");
  const statuses: Record<string, number> = {};
  for (const [path, operations] of Object.entries(page.paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      for (const [type, { example, schema }] of Object.entries(requestBody?.content ?? {})) {
        const defaults = Object.entries(schema.properties ?? {}).map(([name, property]) => [name, property["default"]]);
        // The page does not send an empty field of a form, apart from a required one.
        const isSent = ([name = "", value]: unknown[]) => value !== "" || schema.required?.includes(String(name));
        const sent = type.includes("json") ? { json: example } : { form: Object.fromEntries(defaults.filter(isSent)) };
        const { status } = await server.call(method.toUpperCase(), path.replace("{id}", "1"), sent);
        statuses[`${method} ${type.split("/")[1]}`] = status;
      }
    }
  }
  expect(statuses).toEqual({
    "post json": 422,
    "post x-www-form-urlencoded": 422,
    "put json": 200,
    "put x-www-form-urlencoded": 200,
  });
  const { content } = openApiDocument.paths["/api/v1/websites/{id}"].put.requestBody;
  for (const [type, { example }] of Object.entries(content)) {
    const sent = type.includes("json") ? { json: example } : { form: example };
    expect((await server.call("PUT", "/api/v1/websites/1", sent)).website).toEqual(website);
  }
  expect((await server.call("GET", "/api/v1/websites")).page.data).toEqual([website]);
  const parameters = Object.values(page.paths).flatMap((path) =>
    Object.values(path).flatMap((operation) => operation["parameters"] ?? []),
  );
  expect(parameters.filter((parameter) => "example" in Object(parameter))).toEqual([]);
});
