import { createWebsiteBody, listWebsitesQuery, updateWebsiteBody } from "@siteward/contract";
import { validateIfSchema } from "@ts-rest/core";
import { describe, expect, test } from "vitest";
import { validationFailed } from "../src/errors/app-error.ts";
import { collectFieldErrors, type ValidationIssue } from "../src/errors/validation-errors.ts";
import { decodeForm } from "../src/http/form.ts";
import { decodeJson } from "../src/http/json.ts";
import { dearBodies, dearQueries } from "./dear-bodies.ts";
import type { DearBody } from "./dear-body.ts";
import { describeOnEveryEngine } from "./engines.ts";
import { startTestServer } from "./test-server.ts";

/**
 * Each takes at most 5 ms on a quiet machine, and took up to 400 ms. The bound catches a cost of ten times as much and
 * leaves a busy machine its share; the best of some runs is compared, since neighbours can only add to a time.
 */
const maxMs = 50;
const runs = 5;

describe("to decode, validate and refuse 64 KiB keeps the event loop for milliseconds only", () => {
  test.for(Object.entries(dearBodies))("%s", ([, body]) => {
    expect(Buffer.byteLength(body.text)).toBeLessThanOrEqual(64 * 1024);
    expect(bestMs(() => readAs(createWebsiteBody, body))).toBeLessThan(maxMs);
    expect(bestMs(() => readAs(updateWebsiteBody, body))).toBeLessThan(maxMs);
  });

  test.for(Object.entries(dearQueries))("a query of %s", ([, text]) => {
    expect(bestMs(() => refuse(listWebsitesQuery, () => decodeForm(text, "query")))).toBeLessThan(maxMs);
  });
});

describeOnEveryEngine("a dear body", (engine) => {
  test("gets an answer below 500 that is no larger than a body may be", async () => {
    await using server = await startTestServer(engine);
    const { website } = await server.call("POST", "/api/v1/websites", { json: { domain: "dear.example.com" } });
    for (const [name, { contentType, text }] of Object.entries(dearBodies)) {
      for (const [method, path] of [
        ["POST", "/api/v1/websites"],
        ["PUT", `/api/v1/websites/${website.id}`],
      ] as const) {
        const answer = await server.call(method, path, { body: text, headers: { "Content-Type": contentType } });
        expect(answer.status, name).toBeLessThan(500);
        expect(answer.text.length, name).toBeLessThan(64 * 1024);
      }
    }
  });
});

type Schema = typeof createWebsiteBody | typeof updateWebsiteBody | typeof listWebsitesQuery;

function readAs(schema: Schema, { contentType, text }: DearBody): void {
  refuse(schema, () => (contentType === "application/json" ? decodeJson(text) : decodeForm(text)));
}

/** Does what a request's own parts cost before a handler runs: decodes, validates as ts-rest does, and writes the refusal. */
function refuse(schema: Schema, decode: () => unknown): void {
  let fields: unknown;
  try {
    fields = decode();
  } catch {
    return;
  }
  const { error } = validateIfSchema(fields, schema);
  if (error === undefined) return;
  // Zod's own issues carry `keys`, which the Standard Schema type does not mention.
  JSON.stringify(validationFailed(collectFieldErrors(error.issues as ValidationIssue[])).extension);
}

function bestMs(work: () => void): number {
  const timesMs = Array.from({ length: runs }, () => {
    const startedAtMs = performance.now();
    work();
    return performance.now() - startedAtMs;
  });
  return Math.min(...timesMs);
}
