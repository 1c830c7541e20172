import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, readAnswer, readAnswers, readToEnd } from "@siteward/testing/raw-connection";
import { describe, expect, test } from "vitest";
import { headOfCreate } from "./support/begin-create.ts";
import { engines } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

const account = "/api/v1/account";
const timeouts = {
  requestMs: 600,
  headersMs: 300,
  responseMs: 300,
  checkingIntervalMs: 50,
  keepAliveMs: 300,
  drainMs: 500,
  idleGraceMs: 500,
};

describe("a connection", () => {
  test.for([
    ["more than 32 requests wait on it", ask("/openapi.json").repeat(1_500)],
    ["the headers of those that wait are too long in total", ask("/readyz", `X: ${"x".repeat(14_000)}`).repeat(12)],
  ] as const)("ends if %s, and others are served", async ([, bytes]) => {
    await using server = await startTestServer(engines.sqlite);
    const socket = await openConnection(server.url);
    const ended = readToEnd(socket);
    socket.write(bytes);
    await ended;
    expect((await server.call("GET", account)).status).toBe(200);
    const messages = server.log.entries.map(({ msg }) => msg);
    expect(messages).toContain(
      "A client sent too many requests without waiting for responses. Its connection was closed.",
    );
  });

  test("gets all its answers if the client closes its side after the last request", async () => {
    await using server = await startTestServer(engines.sqlite);
    const socket = await openConnection(server.url);
    const answers = readAnswers(socket);
    socket.end(headOfCreate(server.key, 19).concat("domain=half.example").repeat(2) + ask("/readyz").repeat(6));
    expect((await answers).map(({ status }) => status)).toEqual([201, 409, 200, 200, 200, 200, 200, 200]);
  });

  test("whose headers do not end in time gets a 400 that says how much time there is", async () => {
    await using server = await startTestServer(engines.sqlite, { timeouts: { ...timeouts, requestMs: 600_000 } });
    const socket = await openConnection(server.url);
    const answer = readAnswer(socket);
    socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n");
    const drip = setInterval(() => socket.write("X: 1\r\n"), 50);
    socket.once("close", () => clearInterval(drip));
    const { refusal, problem } = await answer;
    expect(refusal).toEqual([400, "malformed_request"]);
    expect(problem.detail).toContain("Send the headers within 0.3 seconds and the entire request within 600.");
  });

  test("whose request does not end in time does not keep a server from stopping", async () => {
    const server = await startTestServer(engines.sqlite, { timeouts: { ...timeouts, requestMs: 600_000 } });
    const socket = await openConnection(server.url);
    socket.on("error", () => undefined);
    socket.write(`${headOfCreate(server.key, 9)}{`);
    await sleep(50);
    await server[Symbol.asyncDispose]();
  });
});

test("a server that another one replaces accepts no new connection, and ends those that stay idle for too long", async () => {
  await using server = await startTestServer(engines.sqlite, {
    timeouts: { ...timeouts, idleGraceMs: 300, keepAliveMs: 600_000 },
  });
  const socket = await openConnection(server.url);
  const last = readAnswer(socket);
  await server.call("GET", account);
  const start = performance.now();
  const retired = server.retire();
  await expect(fetch(`${server.url}/healthz`, { headers: { Connection: "close" } })).rejects.toThrow();
  socket.write(ask("/healthz"));
  expect((await last).header("Connection")).toBe("close");
  await retired;
  expect(performance.now() - start).toBeGreaterThan(250);
});

test("new connections are answered although busy ones request more than the server can answer", async () => {
  await using server = await startTestServer(engines.sqlite);
  const request = ask(account, `Authorization: Bearer ${server.key}`);
  const sockets: Socket[] = [];
  let answerCount = 0;
  /** Opens a connection, and resolves with its first answer. A busy one sends a request for every answer. */
  const open = async (isBusy: boolean) => {
    const socket = connect({ port: Number(new URL(server.url).port), host: "127.0.0.1", noDelay: true });
    sockets.push(socket);
    socket.write(request);
    await once(socket, "data");
    if (!isBusy) return;
    const next = () => {
      answerCount += 1;
      socket.write(request);
    };
    socket.on("data", next);
    next();
  };
  await Promise.all(Array.from({ length: 200 }, () => open(true)));
  const before = answerCount;
  await Promise.all(Array.from({ length: 20 }, () => open(false)));
  // Node accepts one or two connections per turn, and a turn starts 32 requests. If it started all, there would be 2,000 to 4,000.
  expect(answerCount - before).toBeLessThan(1_200);
  for (const socket of sockets) socket.destroy();
});

function ask(path: string, ...headers: string[]): string {
  return [`GET ${path} HTTP/1.1`, "Host: a", ...headers, "", ""].join("\r\n");
}
