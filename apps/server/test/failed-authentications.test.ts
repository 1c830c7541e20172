import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const account = "/api/v1/account";
const clock = { nowMs: 0 };

/** A server behind a proxy, which reports the address of the client. */
const start = () =>
  startTestServer(engines.sqlite, {
    settings: { SITEWARD_TRUST_PROXY: "1" },
    invalidKeyLimit: 5,
    now: () => clock.nowMs,
  });

describe("the limit of invalid API keys", () => {
  test("past it, the clients of the network get a 429 that says when to retry, and others do not", async () => {
    await using server = await start();
    expect(await sendInvalid(server, "203.0.113.7", 6)).toEqual([401, 401, 401, 401, 401, 429]);
    const refused = await server.call("GET", account, invalid("203.0.113.7"));
    expect(refused.refusal).toEqual([429, "rate_limited"]);
    expect(refused.problem.detail).toBe(
      "Your network has sent too many invalid API keys: at most 5 per minute are allowed. " +
        "Check your API key, and retry after 12 s.",
    );
    expect(refused.header("Retry-After")).toBe("12");
    expect([refused.header("RateLimit-Policy"), refused.header("RateLimit")]).toEqual([null, null]);
    expect(await sendInvalid(server, "203.0.113.8", 1)).toEqual([401]);
    clock.nowMs += 12_000;
    expect(await sendInvalid(server, "203.0.113.7", 2)).toEqual([401, 429]);
  });

  test("an X-Forwarded-For that is not an address, or was not added by the proxy, counts for nobody else", async () => {
    await using server = await start();
    for (const text of ["x", "1", "0x7f.1", "9".repeat(500), "203.0.113.300"]) await sendInvalid(server, text, 1);
    expect(await sendInvalid(server, "y", 1)).toEqual([429]);
    // The proxy adds the last one. What is in front of it came from the client.
    for (let count = 0; count < 5; count += 1) await sendInvalid(server, `198.51.100.${count}, 203.0.113.9`, 1);
    expect(await sendInvalid(server, "203.0.113.9", 1)).toEqual([429]);
  });

  test("valid keys and requests without a key do not count; past it, a key that the process knows is not refused, and one that it does not know is, without a look-up", async () => {
    await using server = await start();
    const unknown = await server.addKey();
    const ask = async (key: string | null, address = "203.0.113.7") =>
      (await server.call("GET", account, { key, headers: { "X-Forwarded-For": address } })).status;
    for (let count = 0; count < 8; count += 1)
      expect([await ask(null), await ask(await server.addKey()), await ask(server.key)]).toEqual([401, 200, 200]);
    expect(await sendInvalid(server, "203.0.113.7", 5)).toEqual([401, 401, 401, 401, 401]);
    expect(await ask(server.key)).toBe(200);
    await server.storage.close();
    // The database is closed, so a look-up fails, which does not count either.
    expect(await ask(unknown)).toBe(429);
    for (let count = 0; count < 8; count += 1) expect(await ask(unknown, "203.0.113.8")).toBe(500);
  });
});

const invalid = (address: string) => ({ key: "swk_unknown", headers: { "X-Forwarded-For": address } });

async function sendInvalid(server: TestServer, address: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) statuses.push((await server.call("GET", account, invalid(address))).status);
  return statuses;
}
