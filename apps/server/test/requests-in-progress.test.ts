import { once } from "node:events";
import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "@siteward/testing/answer";
import { openConnection, rawRequest } from "@siteward/testing/raw-connection";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { exchangeOf } from "../src/door/admission/exchange.ts";
import { fixedTimeouts, serve } from "../src/door/sockets/serve.ts";
import { engines } from "./support/engines.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const maxRequests = 10;
const account = "/api/v1/account";
const start = () => startTestServer(engines.sqlite, { settings: { SITEWARD_MAX_REQUESTS: String(maxRequests) } });

describe("the limit of requests in progress", () => {
  test("past it, a request gets a 503 at once that says when to retry, and health checks are answered", async () => {
    await using server = await start();
    const keys = [await server.addKey(), await server.addKey(), await server.addKey()];
    const { key } = await server.addAccount();
    await using _busy = await fill(server, [server.key, ...keys]);
    const refused = await server.call("GET", account, { key });
    expect(refused.refusal).toEqual([503, "unavailable"]);
    expect(refused.problem.detail).toBe("The server is busy. Nothing was changed. Retry the request in a moment.");
    expect(refused.header("Retry-After")).toBe("1");
    expect(refused.header("Connection")).toBe("keep-alive");
    expect((await server.call("GET", "/healthz?probe=1")).status).toBe(200);
    expect((await server.call("GET", "/readyz")).status).toBe(200);
  });

  test("one key has at most half of the places, its 503 says so, and other keys are answered", async () => {
    await using server = await start();
    const other = await server.addAccount();
    await using _busy = await fill(server);
    const refused = await server.call("GET", account);
    expect(refused.refusal).toEqual([503, "unavailable"]);
    expect(refused.problem.detail).toBe(
      "This API key already has as many requests in progress as the server gives one key. Nothing was changed. " +
        "Send fewer requests at a time, and retry this one in a moment.",
    );
    expect([refused.header("Retry-After"), refused.header("Connection")]).toEqual(["1", "keep-alive"]);
    // Its key is looked up for the first of these, and known for the others.
    for (let count = 0; count < 3; count += 1)
      expect((await server.call("GET", account, { key: other.key })).status).toBe(200);
    expect((await server.call("GET", account, { key: null })).status).toBe(401);
  });

  test("requests whose key is not known leave room for those whose key is", async () => {
    const held: ServerResponse[] = [];
    await using server = await startTestListener((request, response) => {
      if (exchangeOf(request).progress.overload !== undefined) response.end("refused");
      else if (request.url === "/unknown") held.push(response);
      else response.end("answered");
    });
    const unknown = "GET /unknown HTTP/1.1\r\nHost: a\r\n\r\n";
    const clients = await Promise.all(Array.from({ length: maxRequests }, () => openConnection(server.url)));
    for (const client of clients) client.write(unknown);
    await expect.poll(() => server.started).toBe(maxRequests);
    expect(held).toHaveLength(maxRequests / 2);
    const known = await openConnection(server.url);
    known.write(get);
    expect(String((await once(known, "data"))[0])).toContain("answered");
    end([...clients, known]);
  });

  test("a request whose client disconnects counts until its work has ended", async () => {
    await using server = await start();
    const changing = changeElsewhere(server);
    const create = beginCreate(server).replace("Expect: 100-continue\r\n", "");
    const clients = await Promise.all(Array.from({ length: maxRequests }, () => openConnection(server.url)));
    for (const [index, client] of clients.entries())
      client.write(`${create.replace("Content-Length: 2", "Content-Length: 22")}{"domain":"${index}.example"}`);
    const read = () => server.call("GET", account).then(({ status }) => status);
    await expect.poll(read).toBe(503);
    end(clients);
    await sleep(100);
    expect(await read()).toBe(503);
    changing.end();
    await expect.poll(read).toBe(200);
  });

  test("a request with a body is refused before its body is read, and its connection ends", async () => {
    await using server = await start();
    await using _busy = await fill(server);
    const startedMs = performance.now();
    const waiting = rawRequest(server.url, beginCreate(server));
    const complete = await rawRequest(server.url, `${beginCreate(server)}{}`);
    // The other connection stays open for two seconds, in which its client can send the body.
    expect(performance.now() - startedMs).toBeLessThan(1_500);
    for (const refused of [complete, await waiting]) {
      expect(refused.refusal).toEqual([503, "unavailable"]);
      expect(refused.header("Connection")).toBe("close");
    }
  });

  test("clients that send their bodies slowly do not use up the limit, and count once the body is there", async () => {
    await using server = await start();
    const slow = await beginCreates(server, 2 * maxRequests);
    expect((await server.call("GET", account)).status).toBe(200);
    await using _busy = await fill(server);
    const [first] = slow;
    first?.write("{}");
    expect(String((await once(first ?? fail(), "data"))[0])).toContain("503 Service Unavailable");
    // The others disconnect, some of them with their body complete.
    for (const socket of slow.slice(maxRequests)) socket.write("{}");
    end(slow);
  });

  test("a client that disconnects right after its body leaves nothing counted", async () => {
    await using server = await start();
    for (let round = 0; round < 5; round += 1) {
      for (const socket of await beginCreates(server, maxRequests)) {
        socket.write("{}");
        socket.resetAndDestroy();
      }
    }
    // Otherwise some of these would be refused.
    const answers = await Promise.all(Array.from({ length: maxRequests - 1 }, () => server.call("GET", account)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  test("a request counts until it is answered, or its client has disconnected", async () => {
    const held: ServerResponse[] = [];
    await using server = await startTestListener((request, response) => {
      if (exchangeOf(request).progress.overload !== undefined) response.end("refused");
      else held.push(response);
    });
    const clients = await Promise.all(Array.from({ length: maxRequests }, () => openConnection(server.url)));
    for (const client of clients) client.write(get.repeat(2));
    await expect.poll(() => held.length).toBe(maxRequests);
    const other = await openConnection(server.url);
    other.write(get);
    expect(String((await once(other, "data"))[0])).toContain("refused");
    const countHeld = () => {
      other.write(get);
      return held.length;
    };
    held[0]?.end("answered");
    await expect.poll(() => held.length).toBe(maxRequests + 1);
    end(clients);
    await expect.poll(countHeld).toBe(maxRequests + 2);
    end([other]);
  });

  test("a client that reads no answers uses up the limit of nobody else", async () => {
    const large = Buffer.alloc(16 * 1024 * 1024);
    await using server = await startTestListener((request, response) => {
      if (exchangeOf(request).progress.overload !== undefined) response.end("refused");
      else response.end(request.url === "/large" ? large : "answered");
    });
    const greedy = await openConnection(server.url);
    greedy.pause();
    // The first is answered, and the others wait until the client has read that.
    greedy.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2 * maxRequests));
    await expect.poll(() => server.started).toBe(1);
    const other = await openConnection(server.url);
    other.write(get);
    expect(String((await once(other, "data"))[0])).toContain("answered");
    end([greedy, other]);
  });
});

describe("the limit of the bytes of bodies in progress", () => {
  test("one key has at most half of 16 MiB, before the bodies are read, and other keys are answered", async () => {
    await using server = await startTestServer(engines.sqlite);
    const other = await server.addAccount();
    // How long the last two become is not known before they are read.
    const lengths = [
      "Content-Length: 65536",
      "Transfer-Encoding: chunked",
      "Content-Length: 9\r\nContent-Encoding: gzip",
    ];
    const clients = await Promise.all(
      Array.from({ length: 128 }, (_, index) =>
        beginWith(server, beginCreate(server).replace("Content-Length: 2", lengths[index % lengths.length] ?? "")),
      ),
    );
    expect(clients.map(({ answer }) => answer)).toEqual(clients.map(() => expect.stringContaining("100 Continue")));
    const refused = await beginWith(server, beginCreate(server));
    expect(refused.answer).toMatch(/^HTTP\/1.1 503 .*Retry-After: 1\r\n.*Connection: close\r\n/s);
    expect(refused.answer).toContain(
      "The request bodies of this API key already take as much memory as the server gives one key. Nothing was changed. " +
        "Send fewer requests at a time, and retry this one in a moment.",
    );
    expect((await server.call("GET", account)).status).toBe(200);
    const create = (key: string, domain: string) =>
      server.call("POST", "/api/v1/websites", { key, form: { domain } }).then(({ status }) => status);
    expect(await create(other.key, "other.example")).toBe(201);
    end([refused, ...clients].map(({ socket }) => socket));
    await expect.poll(() => create(server.key, "freed.example")).toBe(201);
  });
});

/** Sends the head of a request, and waits for what the server answers to it. */
async function beginWith(server: TestServer, head: string): Promise<{ socket: Socket; answer: string }> {
  const socket = await openConnection(server.url);
  socket.write(head);
  return { socket, answer: String((await once(socket, "data"))[0]) };
}

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

interface TestListener extends AsyncDisposable {
  readonly url: string;
  /** How many requests were started. */
  readonly started: number;
}

async function startTestListener(listener: RequestListener): Promise<TestListener> {
  let started = 0;
  const count: RequestListener = (request, response) => {
    started += 1;
    listener(request, response);
  };
  const { url, close } = await serve(
    // Each connection is a client of its own.
    {
      listener: count,
      keyOf: ({ url, socket }) => (url === "/unknown" ? undefined : socket.remotePort),
      messages: { IncomingMessage, ServerResponse },
    },
    { host: "127.0.0.1", port: 0 },
    {
      logger: pino({ level: "silent" }),
      timeouts: { ...readConfig({}).timeouts, ...fixedTimeouts },
      maxRequests,
    },
  );
  return {
    url,
    get started() {
      return started;
    },
    [Symbol.asyncDispose]: close,
  };
}

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
async function fill(server: TestServer, keys = [server.key]): Promise<AsyncDisposable> {
  const changing = changeElsewhere(server);
  const creates: Promise<Answer>[] = [];
  for (const key of keys) {
    for (let count = 0; count < maxRequests; count += 1) {
      const form = { domain: `${creates.length}.example` };
      creates.push(server.call("POST", "/api/v1/websites", { key, form }));
    }
    await expect.poll(() => server.call("GET", account, { key }).then(({ status }) => status)).toBe(503);
  }
  return {
    async [Symbol.asyncDispose]() {
      changing.end();
      const statuses = (await Promise.all(creates)).map(({ status }) => status);
      // Some of them can be refused instead of a poll.
      expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(maxRequests / 2 - 1);
    },
  };
}

/** Begins creates whose bodies do not come. Each says that it waits for the body, with a 100 Continue. */
function beginCreates(server: TestServer, count: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = await openConnection(server.url);
      socket.write(beginCreate(server));
      expect(String((await once(socket, "data"))[0])).toContain("100 Continue");
      return socket;
    }),
  );
}

function end(sockets: readonly Socket[]): void {
  // A client that only closed its side could still read the answers.
  for (const socket of sockets) socket.resetAndDestroy();
}

/** The head of a create whose body has two bytes that do not come. */
function beginCreate(server: TestServer): string {
  return [
    "POST /api/v1/websites HTTP/1.1",
    "Host: a",
    `Authorization: Bearer ${server.key}`,
    "Content-Type: application/json",
    "Content-Length: 2",
    "Expect: 100-continue",
    "",
    "",
  ].join("\r\n");
}

function fail(): never {
  throw new Error("No connection was opened.");
}
