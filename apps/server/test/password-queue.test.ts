import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "@siteward/testing/answer";
import { openConnection } from "@siteward/testing/raw-connection";
import { describe, expect, test } from "vitest";
import { createHeldLine } from "./support/create-held-line.ts";
import { engines } from "./support/engines.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const path = "/api/v1/websites";
const password = "correct horse";

describe("a flood of passwords", () => {
  test("past the limit is refused with 503 and Retry-After, changes nothing, and delays no other request", async () => {
    const { passwords, open } = createHeldLine(4);
    await using server = await startTestServer(engines.sqlite, { passwords });
    await server.call("POST", path, { json: { domain: "other.example" } });
    const { settled, all } = trackAnswers(
      Array.from({ length: 20 }, (_, index) => create(server, `a${index}.example`)),
    );
    await until(() => settled.length === 15);
    const update = await server.call("PUT", `${path}/1`, { json: { email: 1, privacy: 2, password } });
    for (const refused of [...settled, update]) {
      expect(refused.refusal).toEqual([503, "unavailable"]);
      expect(refused.header("Retry-After")).toBe("2");
    }
    expect((await server.call("GET", `${path}/1`)).website).toMatchObject({
      email: 0,
      privacy: 0,
      has_password: false,
    });
    expect((await server.call("POST", path, { json: { domain: "free.example" } })).status).toBe(201);
    open();
    const statuses = (await all).map((answer) => answer.status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    expect(await countWebsites(server)).toBe(2 + 5);
    expect(server.log.entries.filter((entry) => Number(entry["level"]) >= 50)).toEqual([]);
  });

  test("is not hashed for an update whose If-Match has another tag", async () => {
    const { passwords, open, hashed } = createHeldLine(4);
    open();
    await using server = await startTestServer(engines.sqlite, { passwords });
    await server.call("POST", path, { json: { domain: "other.example" } });
    const json = { privacy: 2, password };
    const answer = await server.call("PUT", `${path}/1`, { json, headers: { "If-Match": '"1-1-2"' } });
    expect([answer.refusal, hashed]).toEqual([[412, "precondition_failed"], []]);
  });

  test("of one key does not block another key, which waits for two hashes, not for the queue", async () => {
    const { passwords, open, hashed } = createHeldLine(4);
    await using server = await startTestServer(engines.sqlite, { passwords });
    const { key } = await server.addAccount();
    const { settled, all } = trackAnswers(
      Array.from({ length: 10 }, (_, index) => create(server, `a${index}.example`)),
    );
    await until(() => settled.length === 5);
    const other = server.call("POST", path, {
      key,
      json: { domain: "b.example", privacy: 2, password: "another key" },
    });
    await until(() => settled.length === 6);
    open();
    expect((await other).website.has_password).toBe(true);
    expect((await all).filter((answer) => answer.status === 201)).toHaveLength(4);
    expect(hashed.indexOf("another key")).toBeLessThanOrEqual(2);
  });
});

describe("clients that disconnect before their password is hashed", () => {
  test("change nothing: neither the one whose hash runs, nor those in the queue, nor a pipelined request", async () => {
    const { passwords, open, hashed } = createHeldLine(4);
    await using server = await startTestServer(engines.sqlite, { passwords });
    await server.call("POST", path, { json: { domain: "other.example" } });
    const pipelining = await openConnection(server.url);
    sendProtected(pipelining, server.key, ["POST", path, { domain: "first.example", privacy: 2, password }]);
    sendProtected(pipelining, server.key, ["PUT", `${path}/1`, { privacy: 2, password }]);
    await until(() => hashed.length === 1);
    const others = await sendCreates(server, 5);
    await Promise.race(others.map(({ answered }) => answered));
    for (const { socket } of [{ socket: pipelining }, ...others]) socket.destroy();
    // The one whose hash runs is refused when the hash ends.
    await until(() => countLogged(server, "POST") === 1 + 5);
    open();
    await until(() => countLogged(server, "POST") === 1 + 5 + 1);
    expect((await create(server, "stays.example")).status).toBe(201);
    expect(hashed).toHaveLength(2);
    const { data } = (await server.call("GET", path)).page;
    expect(data.map(({ domain, privacy }) => [domain, privacy])).toEqual([
      ["stays.example", 2],
      ["other.example", 0],
    ]);
    expect(server.log.entries.filter((entry) => Number(entry["level"]) >= 50)).toEqual([]);
  });
});

function create(server: TestServer, domain: string): Promise<Answer> {
  return server.call("POST", path, { json: { domain, privacy: 2, password } });
}

/** The answers in the order they come. */
function trackAnswers(answers: readonly Promise<Answer>[]) {
  const settled: Answer[] = [];
  const track = async (answer: Promise<Answer>) => {
    settled.push(await answer);
    return answer;
  };
  return { settled, all: Promise.all(answers.map(track)) };
}

function sendProtected(socket: Socket, key: string, [method, target, fields]: readonly [string, string, object]): void {
  const body = JSON.stringify(fields);
  socket.on("error", () => undefined);
  socket.write(
    `${method} ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
}

/** Sends creates on a connection each. `answered` resolves with the first bytes of an answer. */
async function sendCreates(server: TestServer, count: number) {
  const sockets = await Promise.all(Array.from({ length: count }, () => openConnection(server.url)));
  return sockets.map((socket, index) => {
    sendProtected(socket, server.key, ["POST", path, { domain: `gone${index}.example`, privacy: 2, password }]);
    return { socket, answered: new Promise((resolve) => socket.once("data", resolve)) };
  });
}

/** A request is logged once it is answered or its client has disconnected. */
function countLogged(server: TestServer, method: string): number {
  return server.log.entries.filter((entry) => entry["method"] === method).length;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

async function countWebsites(server: TestServer): Promise<number> {
  return (await server.call("GET", path)).page.meta.total;
}
