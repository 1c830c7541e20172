import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, readAnswers } from "@siteward/testing/raw-connection";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const timeouts = {
  requestMs: 10_000,
  headersMs: 10_000,
  responseMs: 600,
  checkingIntervalMs: 50,
  keepAliveMs: 10_000,
  drainMs: 500,
  idleGraceMs: 500,
};

describe("pipelined requests on one connection", () => {
  test("end the connection if there are more than 32, and other connections are served", async () => {
    await using server = await startTestServer(engines.sqlite);
    const socket = await openConnection(server.url);
    const closed = once(socket, "close");
    socket.on("error", () => undefined).resume();
    socket.write(ask("/openapi.json").repeat(1_500));
    await closed;
    expect((await server.call("GET", "/api/v1/account")).status).toBe(200);
    const messages = server.log.entries.map(({ msg }) => msg);
    expect(messages).toContain(
      "A client sent too many requests without waiting for responses. Its connection was closed.",
    );
  });

  test("end the connection if the headers of those that wait are too long in total", async () => {
    await using server = await startTestServer(engines.sqlite);
    const socket = await openConnection(server.url);
    const answers = readAnswers(socket);
    socket.write(ask("/readyz", `X: ${"x".repeat(14_000)}`).repeat(12));
    expect((await answers).length).toBeLessThan(12);
    expect((await server.call("GET", "/api/v1/account")).status).toBe(200);
  });

  test("are all answered if the client closes its side after the last one", async () => {
    await using server = await startTestServer(engines.sqlite);
    const socket = await openConnection(server.url);
    const answers = readAnswers(socket);
    socket.end(`${create(server, "half.example").repeat(2)}${ask("/readyz").repeat(6)}`);
    expect((await answers).map(({ status }) => status)).toEqual([201, 409, 200, 200, 200, 200, 200, 200]);
  });

  test("are not started before the client has read the responses before them", async () => {
    await using server = await startTestServer(engines.sqlite, { timeouts: { ...timeouts, responseMs: 20_000 } });
    await fillPage(server);
    const before = server.log.entries.length;
    const socket = await openConnection(server.url);
    socket.write(`${longPage(server).repeat(20)}${last}`);
    await sleep(1_000);
    // The system buffers a few pages for a connection.
    expect(server.log.entries.length - before).toBeLessThan(10);
    const answers = await readAnswers(socket);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 21 }, () => 200));
    expect(new Set(answers.slice(0, -1).map(({ text }) => text)).size).toBe(1);
  });
});

describe("a response that a client does not read", () => {
  test("ends the connection even if the client reads, but too slowly", async () => {
    await using server = await startTestServer(engines.sqlite, { timeouts });
    await fillPage(server);
    const socket = await openConnection(server.url);
    const closed = once(socket, "close");
    socket.on("error", () => undefined);
    socket.write(longPage(server).repeat(20));
    const drip = setInterval(() => socket.read(1_000), 20);
    await expect
      .poll(() => server.log.entries.map(({ msg }) => msg), { timeout: 10_000 })
      .toContain("A client did not read its response within 600 ms. Its connection was closed.");
    clearInterval(drip);
    socket.resume();
    await closed;
    expect((await server.call("GET", "/api/v1/account")).status).toBe(200);
  });
});

const last = ask("/healthz", "Connection: close");

function ask(path: string, ...headers: string[]): string {
  return [`GET ${path} HTTP/1.1`, "Host: a", ...headers, "", ""].join("\r\n");
}

function create({ key }: TestServer, domain: string): string {
  const body = `domain=${domain}`;
  const headers = ["Host: a", `Authorization: Bearer ${key}`, "Content-Type: application/x-www-form-urlencoded"];
  return ["POST /api/v1/websites HTTP/1.1", ...headers, `Content-Length: ${body.length}`, "", body].join("\r\n");
}

function longPage({ key }: TestServer): string {
  return ask("/api/v1/websites?per_page=100", `Authorization: Bearer ${key}`);
}

/** Makes the page of 100 records 1.8 MB long. */
async function fillPage({ storage, accountId }: TestServer): Promise<void> {
  const excludeIps = Array.from({ length: 500 }, (_, index) => `2001:db8:aaaa:bbbb:cccc:dddd:eeee:${1000 + index}`);
  for (let index = 0; index < 100; index += 1) {
    await storage.websites.create(accountId, {
      domain: `site-${index}.example`,
      privacy: 0,
      email: 0,
      exclude_bots: 1,
      exclude_params: [],
      exclude_ips: excludeIps,
      passwordHash: null,
    });
  }
}
