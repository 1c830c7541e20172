import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, readAnswer } from "@siteward/testing/raw-connection";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { send } from "./support/http-client.ts";
import { startTestServer } from "./support/test-server.ts";

const timeouts = {
  requestMs: 600,
  headersMs: 300,
  responseMs: 300,
  checkingIntervalMs: 50,
  keepAliveMs: 300,
  drainMs: 500,
  idleGraceMs: 500,
};

describe("slow clients", () => {
  test("headers that do not end in time are refused with problem details", async () => {
    await using server = await startTestServer(engines.sqlite, { timeouts });
    const socket = await openConnection(server.url);
    const answer = readAnswer(socket);
    const start = performance.now();
    socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n");
    const drip = setInterval(() => socket.write("X: 1\r\n"), 50);
    socket.once("close", () => clearInterval(drip));
    const { refusal, problem } = await answer;
    expect(refusal).toEqual([400, "malformed_request"]);
    expect(problem.detail).toContain("Send the headers within 0.3 seconds and the entire request within 0.6.");
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test("a body that does not end in time closes the connection", async () => {
    await using server = await startTestServer(engines.sqlite, { timeouts });
    const socket = await openConnection(server.url);
    const answer = readAnswer(socket);
    socket.write(
      `POST /api/v1/websites HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.key}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
    );
    expect((await answer).refusal).toEqual([400, "malformed_request"]);
  });

  test("a connection that sends nothing is closed", async () => {
    await using server = await startTestServer(engines.sqlite, { timeouts });
    const socket = await openConnection(server.url);
    const start = performance.now();
    await readAnswer(socket);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test("other clients are answered meanwhile", async () => {
    await using server = await startTestServer(engines.sqlite, { timeouts });
    const slow = await Promise.all(Array.from({ length: 200 }, () => openConnection(server.url)));
    for (const socket of slow) socket.on("error", () => undefined).write("GET / HTTP/1.1\r\n");
    expect((await server.call("GET", "/api/v1/account")).status).toBe(200);
    for (const socket of slow) socket.destroy();
  });
});

describe("closing the server", () => {
  test("answers the request in progress, then ends its connection at once", async () => {
    const server = await startTestServer(engines.sqlite);
    const socket = await openConnection(server.url);
    const answer = readAnswer(socket);
    const body = "domain=example.com";
    socket.write(
      `POST /api/v1/websites HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.key}\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await sleep(100);
    const start = performance.now();
    const closed = server[Symbol.asyncDispose]();
    await sleep(50);
    socket.write(body);
    expect((await answer).status).toBe(201);
    await closed;
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test("ends idle connections at once", async () => {
    const server = await startTestServer(engines.sqlite);
    await server.call("GET", "/api/v1/account");
    const start = performance.now();
    await server[Symbol.asyncDispose]();
    expect(performance.now() - start).toBeLessThan(1000);
  });

  test("ends requests that do not finish in time", async () => {
    const server = await startTestServer(engines.sqlite, { timeouts: { ...timeouts, requestMs: 60_000 } });
    const socket = await openConnection(server.url);
    socket.on("error", () => undefined);
    socket.write(
      `POST /api/v1/websites HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.key}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    );
    await sleep(50);
    const start = performance.now();
    await server[Symbol.asyncDispose]();
    expect(performance.now() - start).toBeLessThan(3000);
  });
});

describe("retiring the server", () => {
  test("answers the next request on an idle connection as its last, and accepts no new one", async () => {
    await using server = await startTestServer(engines.sqlite, {
      timeouts: { ...timeouts, idleGraceMs: 30_000, keepAliveMs: 30_000 },
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () => send(server.url, { path: "/api/v1/account", key: server.key, agent });
    expect(await ask()).toMatchObject({ status: 200, isReused: false, isLast: false });
    const retired = server.retire();
    await expect(server.call("GET", "/healthz")).rejects.toThrow();
    await sleep(200);
    expect(await ask()).toMatchObject({ status: 200, isReused: true, isLast: true });
    await retired;
  });

  test("ends connections that stay idle for too long, and at once if the server is closed meanwhile", async () => {
    for (const [idleGraceMs, isClosed] of [
      [300, false],
      [30_000, true],
    ] as const) {
      await using server = await startTestServer(engines.sqlite, {
        timeouts: { ...timeouts, idleGraceMs, keepAliveMs: 30_000 },
      });
      await server.call("GET", "/api/v1/account");
      const start = performance.now();
      const retired = server.retire();
      if (isClosed) await server[Symbol.asyncDispose]();
      await retired;
      expect(performance.now() - start).toBeLessThan(5000);
      if (!isClosed) expect(performance.now() - start).toBeGreaterThan(250);
    }
  });
});
