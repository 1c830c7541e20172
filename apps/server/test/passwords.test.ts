import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "@siteward/testing/answer";
import { openConnection } from "@siteward/testing/raw-connection";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { holdPasswords } from "./support/hold-passwords.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const path = "/api/v1/websites";
const password = "correct horse";

describe("a flood of passwords", () => {
  test("delays no request without one", async () => {
    const { passwords, open } = holdPasswords();
    await using server = await startTestServer(engines.sqlite, { passwords });
    const creates = Array.from({ length: 20 }, (_, index) => create(server, `a${index}.example`));
    expect((await server.call("POST", path, { json: { domain: "free.example" } })).status).toBe(201);
    expect((await server.call("GET", `${path}/1`)).website).toMatchObject({ domain: "free.example" });
    open();
    expect((await Promise.all(creates)).map(({ status }) => status)).toEqual(creates.map(() => 201));
  });

  test("is not hashed for an update whose If-Match has another tag", async () => {
    const { passwords, open, hashed } = holdPasswords();
    open();
    await using server = await startTestServer(engines.sqlite, { passwords });
    await server.call("POST", path, { json: { domain: "other.example" } });
    const json = { privacy: 2, password };
    const answer = await server.call("PUT", `${path}/1`, { json, headers: { "If-Match": '"1-1-2"' } });
    expect([answer.refusal, hashed]).toEqual([[412, "precondition_failed"], []]);
  });
});

describe("clients that disconnect before their password is hashed", () => {
  test("change nothing: neither the one whose hash runs, nor those in the queue, nor a pipelined request", async () => {
    const { passwords, open, hashed } = holdPasswords();
    await using server = await startTestServer(engines.sqlite, { passwords });
    await server.call("POST", path, { json: { domain: "other.example" } });
    const pipelining = await openConnection(server.url);
    sendProtected(pipelining, server.key, ["POST", path, { domain: "first.example", privacy: 2, password }]);
    sendProtected(pipelining, server.key, ["PUT", `${path}/1`, { privacy: 2, password }]);
    await until(() => hashed.length === 1);
    const others = await sendCreates(server, 5);
    await sleep(200);
    for (const socket of [pipelining, ...others]) socket.destroy();
    await sleep(200);
    open();
    await until(() => countLogged(server, "POST") === 1 + 1 + 5);
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

function sendProtected(socket: Socket, key: string, [method, target, fields]: readonly [string, string, object]): void {
  const body = JSON.stringify(fields);
  socket.on("error", () => undefined);
  socket.write(
    `${method} ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
}

/** Sends creates on a connection each. */
async function sendCreates(server: TestServer, count: number) {
  const sockets = await Promise.all(Array.from({ length: count }, () => openConnection(server.url)));
  for (const [index, socket] of sockets.entries())
    sendProtected(socket, server.key, ["POST", path, { domain: `gone${index}.example`, privacy: 2, password }]);
  return sockets;
}

/** A request is logged once it is answered or its client has disconnected. */
function countLogged(server: TestServer, method: string): number {
  return server.log.entries.filter((entry) => entry["method"] === method).length;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}
