import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, readAnswer } from "@siteward/testing/raw-connection";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
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
});

describe("closing the server", () => {
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
  test("accepts no new connection, and ends those that stay idle for too long", async () => {
    await using server = await startTestServer(engines.sqlite, {
      timeouts: { ...timeouts, idleGraceMs: 300, keepAliveMs: 30_000 },
    });
    await server.call("GET", "/api/v1/account");
    const start = performance.now();
    const retired = server.retire();
    await expect(fetch(`${server.url}/healthz`, { headers: { Connection: "close" } })).rejects.toThrow();
    await retired;
    expect(performance.now() - start).toBeLessThan(5000);
    expect(performance.now() - start).toBeGreaterThan(250);
  });
});
