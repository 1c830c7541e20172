import { DatabaseSync } from "node:sqlite";
import { type ErrorCode, errorCodes } from "@siteward/contract";
import type { Answer } from "@siteward/testing/answer";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { fullLists } from "./support/full-lists.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const websites = "/api/v1/websites";
const example = { domain: "example.com" };
const idempotencyKey = { "Idempotency-Key": "k" };

/** A request that gets the error, for every code of the contract. If a code has none, this does not compile. */
const requests = {
  malformed_request: (server) => server.call("GET", `${websites}?search=%zz`),
  unauthenticated: (server) => server.call("GET", websites, { key: null }),
  insufficient_scope: async (server) =>
    server.call("POST", websites, { json: example, key: await server.addKey({ scopes: ["websites:read"] }) }),
  website_limit_reached: async (server) =>
    server.call("POST", websites, { json: example, key: (await server.addAccount(0)).key }),
  not_found: (server) => server.call("GET", `${websites}/1`),
  method_not_allowed: (server) => server.call("PATCH", websites),
  domain_taken: async (server) => {
    await server.call("POST", websites, { json: example });
    return server.call("POST", websites, { json: example });
  },
  idempotency_in_progress: async (server) => {
    using other = new DatabaseSync(server.databaseUrl.slice("file:".length));
    other.exec("begin immediate");
    const sent = [1, 2].map(() => server.call("POST", websites, { json: example, headers: idempotencyKey }));
    const refused = await Promise.race(sent);
    other.exec("rollback");
    await Promise.all(sent);
    return refused;
  },
  idempotency_key_reused: async (server) => {
    await server.call("POST", websites, { json: example, headers: idempotencyKey });
    return server.call("POST", websites, { json: { domain: "other.example" }, headers: idempotencyKey });
  },
  precondition_failed: async (server) => {
    await server.call("POST", websites, { json: example });
    return server.call("DELETE", `${websites}/1`, { headers: { "If-Match": '"1-1-2"' } });
  },
  cursor_expired: async (server) => {
    const { changes_cursor: cursor } = (await server.call("GET", websites)).page.meta;
    await server.execute("update accounts set counted_since = 1, changed_at = 1");
    return server.call("GET", `${websites}?changed_since=${cursor}`);
  },
  body_too_large: (server) => server.call("POST", websites, { json: { domain: "x".repeat(64 * 1024) } }),
  unsupported_media_type: (server) => server.call("POST", websites, { body: "example.com" }),
  validation_failed: (server) => server.call("POST", websites, { json: {} }),
  rate_limited: async (server) => {
    for (;;) {
      const answer = await server.call("GET", websites);
      if (answer.status === 429) return answer;
    }
  },
  change_limit_reached: async (server) => {
    for (let number = 0; ; number += 1) {
      const answer = await server.call("POST", websites, {
        json: { domain: `${number}.example`, ...fullLists(number) },
      });
      if (answer.status === 429) return answer;
    }
  },
  internal: async (server) => {
    await server.execute("alter table websites rename to elsewhere");
    return server.call("GET", websites);
  },
  unavailable: async (server) => {
    await server.storage.close();
    return server.call("GET", "/readyz");
  },
} as const satisfies Record<ErrorCode, (server: TestServer) => Promise<Answer>>;

describe("every error code of the contract is one that the server answers with", () => {
  test.for(Object.entries(requests))("%s", async ([code, send]) => {
    await using server = await startTestServer(engines.sqlite, {
      settings: { SITEWARD_RATE_LIMIT: "100", SITEWARD_TRAIL_LIMIT: "1" },
    });
    const answer = await send(server);
    const { status, title } = errorCodes[answer.problem.code];
    expect(answer.problem).toMatchObject({ code, status, title });
    expect(answer.status).toBe(status);
  });
});
