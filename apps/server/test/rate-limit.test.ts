import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "@siteward/testing/answer";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

const websites = "/api/v1/websites";

describe("the limit of a key's requests", () => {
  test("a key can have a limit of its own, which a running server notices, without forgetting what it has counted", async () => {
    await using server = await startTestServer(engines.sqlite, {
      settings: { SITEWARD_RATE_LIMIT: "600" },
      now: () => 0,
    });
    expect(fieldsOf(await server.call("GET", websites))).toEqual(['"default";q=600;w=60', '"default";r=599;t=1']);
    const limits = [
      { column: "3", fields: ['"default";q=3;w=60', '"default";r=1;t=20'] },
      { column: "10", fields: ['"default";q=10;w=60', '"default";r=7;t=6'] },
      { column: "0", fields: [null, null] },
    ];
    for (const { column, fields } of limits) {
      await server.execute(`update api_keys set rate_limit = ${column}`);
      // A key that was read counts as unchanged for two seconds.
      await sleep(2_000);
      expect(fieldsOf(await server.call("GET", websites))).toEqual(fields);
    }
  });
});

function fieldsOf(answer: Answer): (string | null)[] {
  return [answer.header("RateLimit-Policy"), answer.header("RateLimit")];
}
