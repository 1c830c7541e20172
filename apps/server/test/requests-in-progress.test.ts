import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "@siteward/service";
import type { Answer } from "@siteward/testing/answer";
import { openConnection } from "@siteward/testing/raw-connection";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { headOfCreate } from "./support/begin-create.ts";
import { engines } from "./support/engines.ts";
import { holdPasswords } from "./support/hold-passwords.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "./support/test-server.ts";

const account = "/api/v1/account";
const websites = "/api/v1/websites";
/** How many writes of one account run, and how many more wait. */
const running = 64;
const waiting = 5;
const start = (options: TestServerOptions = {}) =>
  startTestServer(engines.sqlite, { ...options, settings: { SITEWARD_MAX_REQUESTS: String(2 * waiting) } });

describe("the requests that run and wait", () => {
  test("past the line of an account, its writes get a 503 after a second, and all other requests are answered", async () => {
    const { passwords, open } = holdPasswords(1);
    await using server = await start({ passwords });
    const other = await server.addAccount();
    const secondKey = await server.addKey();
    await using _busy = await fill(server, [server.key], open);
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
    const { passwords, open } = holdPasswords(1);
    await using server = await start({ passwords });
    // They have 64, 32, 16 and so on of the 128 places.
    const others = await Promise.all(Array.from({ length: 7 }, () => server.addAccount()));
    const { key } = await server.addAccount();
    await using _busy = await fill(server, [server.key, ...others.map((account) => account.key)], open);
    const refused = await server.call("DELETE", `${websites}/1`, { key });
    expect(refused.problem.detail).toBe("The server is busy. Nothing was changed. Retry the request in a moment.");
    expect((await server.call("GET", account, { key })).status).toBe(200);
    expect((await server.call("GET", "/healthz?probe=1")).status).toBe(200);
    expect((await server.call("GET", "/readyz")).status).toBe(200);
  });

  test("a request whose client disconnects counts until its work has ended, and runs nothing if it waited", async () => {
    await using server = await start();
    using other = new DatabaseSync(server.path);
    other.exec("begin immediate");
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
    other.exec("rollback");
    await expect.poll(write).toBe(422);
    expect((await server.call("GET", websites)).page.meta.total).toBe(running);
  });

  test("with passwords are hashed by account in turn, and get a 503 if their turn comes after more than 5 seconds", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { passwords, asked, hashed, end } = holdPasswords(2);
    await using server = await startTestServer(engines.sqlite, { passwords });
    const { key } = await server.addAccount();
    const create = async (name: string, options = {}) => {
      const json = { domain: `${name}.example`, privacy: 2, password: `password of ${name}` };
      const answer = server.call("POST", websites, { json, ...options });
      const count = asked.length;
      await expect.poll(() => asked.length).toBe(count + 1);
      return { answer };
    };
    // Alone, an account has all of them.
    const made = [await create("a"), await create("b"), await create("c")];
    const late = await create("d");
    made.push(await create("other", { key }));
    expect(hashed).toHaveLength(2);
    end();
    await expect.poll(() => hashed[2]).toBe("password of c");
    end();
    await expect.poll(() => hashed[3]).toBe("password of other");
    vi.advanceTimersByTime(5_001);
    end();
    const refused = await late.answer;
    expect([...refused.refusal, refused.header("Retry-After")]).toEqual([503, "unavailable", "1"]);
    expect(refused.problem.detail).toBe(
      "Too many passwords wait to be hashed. Nothing was changed. " +
        "Send fewer passwords at a time, and retry this request in a moment.",
    );
    end();
    for (const { answer } of made) expect((await answer).status).toBe(201);
    expect((await server.call("GET", websites)).page.meta.total).toBe(3);
  });
});

test("a password that waits for its hash is refused after 5 seconds with the wait for its place", async () => {
  const { passwords, open } = holdPasswords(1);
  const hash = (waitedMs: number) =>
    // The cast is safe: nothing else is asked of a call.
    passwords.hash("correct horse", { principal: { accountId: 1 }, waitedMs, isDisconnected: () => false } as Call);
  const [alone, late, soon] = [hash(9_000), hash(5_000), hash(100)];
  open();
  await expect(late).rejects.toMatchObject({ code: "unavailable" });
  expect(await Promise.all([alone, soon])).toEqual(["a hash", "a hash"]);
});

/** Sends creates until each key has all places that it can get. They wait for their hashes until this is disposed. */
async function fill(server: TestServer, keys: readonly string[], open: () => void): Promise<AsyncDisposable> {
  const creates: Promise<Answer>[] = [];
  for (const key of keys) {
    for (let count = 0; count < running + waiting; count += 1) {
      const json = { domain: `${creates.length}.example`, privacy: 2, password: "correct horse" };
      creates.push(server.call("POST", websites, { key, json }));
    }
  }
  // A refusal takes a second. What comes before the places are full waits, and another one is sent.
  const isRefused = (key: string) =>
    Promise.race([
      server.call("DELETE", `${websites}/9`, { key }).then(({ status }) => status === 503),
      sleep(5_000, false),
    ]);
  await expect.poll(async () => (await Promise.all(keys.map(isRefused))).every(Boolean)).toBe(true);
  return {
    async [Symbol.asyncDispose]() {
      open();
      const statuses = (await Promise.all(creates)).map(({ status }) => status);
      expect(statuses).toContain(201);
      expect([201, 503]).toEqual(expect.arrayContaining(statuses));
    },
  };
}
