import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "@siteward/testing/answer";
import { openConnection } from "@siteward/testing/raw-connection";
import { describe, expect, test } from "vitest";
import { headOfCreate } from "./support/begin-create.ts";
import { engines } from "./support/engines.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const account = "/api/v1/account";
const websites = "/api/v1/websites";
/** How many writes of one account run, and how many more wait. */
const running = 64;
const waiting = 5;
const start = () => startTestServer(engines.sqlite, { settings: { SITEWARD_MAX_REQUESTS: String(2 * waiting) } });

describe("the requests that run and wait", () => {
  test("past the line of an account, its writes get a 503 after a second, and all other requests are answered", async () => {
    await using server = await start();
    const other = await server.addAccount();
    const secondKey = await server.addKey();
    await using _busy = await fill(server, [server.key]);
    // A second key gives no second share.
    for (const key of [server.key, secondKey]) {
      const startMs = performance.now();
      const refused = await server.call("POST", websites, { key });
      // Clients that try again at once would take all of the process.
      expect(performance.now() - startMs).toBeGreaterThan(990);
      expect(refused.refusal).toEqual([503, "unavailable"]);
      expect(refused.problem.detail).toBe(
        "This account already has as many requests waiting as the server gives one account. Nothing was changed. " +
          "Send fewer requests at a time, and retry this one in a moment.",
      );
      expect([refused.header("Retry-After"), refused.header("Connection")]).toEqual(["1", "keep-alive"]);
      expect((await server.call("GET", account, { key })).status).toBe(200);
    }
    expect((await server.call("POST", websites, { key: other.key, form: { domain: "" } })).status).toBe(422);
    expect((await server.call("GET", account, { key: null })).status).toBe(401);
  });

  test("if all accounts together are past the line, another one gets a 503 too, and health checks are answered", async () => {
    await using server = await start();
    // They have 64, 32, 16 and so on of the 128 places.
    const others = await Promise.all(Array.from({ length: 7 }, () => server.addAccount()));
    const { key } = await server.addAccount();
    await using _busy = await fill(server, [server.key, ...others.map((account) => account.key)]);
    const refused = await server.call("DELETE", `${websites}/1`, { key });
    expect(refused.problem.detail).toBe("The server is busy. Nothing was changed. Retry the request in a moment.");
    expect((await server.call("GET", account, { key })).status).toBe(200);
    expect((await server.call("GET", "/healthz?probe=1")).status).toBe(200);
    expect((await server.call("GET", "/readyz")).status).toBe(200);
  });

  test("a request whose client disconnects counts until its work has ended, and runs nothing if it waited", async () => {
    await using server = await start();
    const changing = changeElsewhere(server);
    const clients = await Promise.all(Array.from({ length: running + waiting }, () => openConnection(server.url)));
    for (const [index, client] of clients.entries()) {
      const body = `domain=${index}.example`;
      client.write(headOfCreate(server.key, body.length) + body);
    }
    const write = () => server.call("POST", websites).then(({ status }) => status);
    await expect.poll(write).toBe(503);
    // A client that only closed its side could still read the answers.
    for (const client of clients) client.resetAndDestroy();
    await sleep(100);
    expect(await write()).toBe(503);
    changing.end();
    await expect.poll(write).toBe(422);
    expect((await server.call("GET", websites)).page.meta.total).toBe(running);
  });
});

/** Keeps the database locked until `end` is called, as another process that changes it does. */
function changeElsewhere(server: TestServer): { readonly end: () => void } {
  const other = new DatabaseSync(server.databaseUrl.slice("file:".length));
  other.exec("begin immediate");
  return {
    end: () => {
      other.exec("rollback");
      other.close();
    },
  };
}

/** Sends creates until each key has all places that it can get. They wait for the database until this is disposed. */
async function fill(server: TestServer, keys: readonly string[]): Promise<AsyncDisposable> {
  const changing = changeElsewhere(server);
  const creates: Promise<Answer>[] = [];
  for (const key of keys) {
    for (let count = 0; count < running + waiting; count += 1) {
      const form = { domain: `${creates.length}.example` };
      creates.push(server.call("POST", websites, { key, form }));
    }
    await expect.poll(() => server.call("DELETE", `${websites}/9`, { key }).then(({ status }) => status)).toBe(503);
  }
  return {
    async [Symbol.asyncDispose]() {
      changing.end();
      const statuses = (await Promise.all(creates)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set(keys.length === 1 ? [201] : [201, 503]));
    },
  };
}
