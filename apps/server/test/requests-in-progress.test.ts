import { once } from "node:events";
import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DatabaseSync } from "node:sqlite";
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
    await using _busy = await fill(server);
    const refused = await server.call("GET", account);
    expect(refused.refusal).toEqual([503, "unavailable"]);
    expect(refused.problem.detail).toBe("The server is busy. Nothing was changed. Retry the request in a moment.");
    expect(refused.header("Retry-After")).toBe("1");
    expect(refused.header("Connection")).toBe("keep-alive");
    expect((await server.call("GET", "/healthz?probe=1")).status).toBe(200);
    expect((await server.call("GET", "/readyz")).status).toBe(200);
  });

  test("a request with a body is refused before its body is read, and its connection ends", async () => {
    await using server = await start();
    await using _busy = await fill(server);
    const refused = await rawRequest(server.url, beginCreate(server));
    expect(refused.refusal).toEqual([503, "unavailable"]);
    expect(refused.header("Connection")).toBe("close");
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

  test("a request counts until it is answered", async () => {
    const held: ServerResponse[] = [];
    await using server = await startTestListener((request, response) => {
      if (exchangeOf(request).isRefused) response.end("refused");
      else held.push(response);
    });
    const clients = await Promise.all(Array.from({ length: maxRequests }, () => openConnection(server.url)));
    for (const client of clients) client.write(get);
    await expect.poll(() => held.length).toBe(maxRequests);
    const other = await openConnection(server.url);
    other.write(get);
    expect(String((await once(other, "data"))[0])).toContain("refused");
    held[0]?.end("answered");
    const countHeld = () => {
      other.write(get);
      return held.length;
    };
    await expect.poll(countHeld).toBe(maxRequests + 1);
    end([...clients, other]);
  });

  test("a client that reads no answers uses up the limit of nobody else", async () => {
    const large = Buffer.alloc(16 * 1024 * 1024);
    await using server = await startTestListener((request, response) => {
      if (exchangeOf(request).isRefused) response.end("refused");
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

  test("a request whose client has disconnected no longer counts", async () => {
    const held: ServerResponse[] = [];
    await using server = await startTestListener((request, response) => {
      if (exchangeOf(request).isRefused) response.end("refused");
      else held.push(response);
    });
    const clients = await Promise.all(Array.from({ length: maxRequests }, () => openConnection(server.url)));
    for (const client of clients) client.write(get.repeat(2));
    await expect.poll(() => held.length).toBe(maxRequests);
    const other = await openConnection(server.url);
    other.write(get);
    expect(String((await once(other, "data"))[0])).toContain("refused");
    end(clients);
    const countHeld = () => {
      other.write(get);
      return held.length;
    };
    await expect.poll(countHeld).toBe(maxRequests + 1);
    end([other]);
  });
});

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
    { listener: count, messages: { IncomingMessage, ServerResponse } },
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

/** Sends as many creates as may be in progress, to a database that another process is changing until this is disposed. */
async function fill(server: TestServer): Promise<AsyncDisposable> {
  const other = new DatabaseSync(server.databaseUrl.slice("file:".length));
  other.exec("begin immediate");
  const creates = Array.from({ length: maxRequests }, (_, index) =>
    server.call("POST", "/api/v1/websites", { form: { domain: `${index}.example` } }),
  );
  await expect.poll(() => server.call("GET", account).then(({ status }) => status)).toBe(503);
  return {
    async [Symbol.asyncDispose]() {
      other.exec("rollback");
      other.close();
      const statuses = (await Promise.all(creates)).map(({ status }) => status);
      // One of them can be refused instead of a poll.
      expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(maxRequests - 1);
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
