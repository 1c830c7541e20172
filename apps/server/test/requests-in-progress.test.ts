import { once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { fixedTimeouts, serve } from "../src/connections/serve.ts";
import { isRefused } from "../src/http/request-bound.ts";
import { engines } from "./support/engines.ts";
import { openConnection, rawRequest } from "./support/raw-request.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const maxRequests = 10;
const account = "/api/v1/account";
const start = () => startTestServer(engines.sqlite, { settings: { SITEWARD_MAX_REQUESTS: String(maxRequests) } });

describe("the limit of requests in progress", () => {
  test("past it, a request gets a 503 at once that says when to retry, and health checks are answered", async () => {
    await using server = await start();
    const sockets = await fill(server);
    const refused = await server.call("GET", account);
    expect(refused.refusal).toEqual([503, "unavailable"]);
    expect(refused.problem.detail).toBe("The server is busy. Nothing was changed. Retry the request in a moment.");
    expect(refused.header("Retry-After")).toBe("1");
    expect(refused.header("Connection")).toBe("keep-alive");
    expect((await server.call("GET", "/healthz?probe=1")).status).toBe(200);
    expect((await server.call("GET", "/readyz")).status).toBe(200);
    end(sockets);
  });

  test("a request with a body is refused before its body is read, and its connection ends", async () => {
    await using server = await start();
    const sockets = await fill(server);
    const refused = await rawRequest(server.url, beginCreate(server));
    expect(refused.refusal).toEqual([503, "unavailable"]);
    expect(refused.header("Connection")).toBe("close");
    end(sockets);
  });

  test("a request counts until its client is answered or gone", async () => {
    await using server = await start();
    for (let round = 0; round < 3; round += 1) {
      const sockets = await fill(server);
      expect((await server.call("GET", account)).status).toBe(503);
      const [first, ...others] = sockets;
      first?.write("a");
      await once(first ?? fail(), "data");
      expect((await server.call("GET", account)).status).toBe(200);
      first?.destroy();
      end(others);
      await expect.poll(() => server.call("GET", account).then(({ status }) => status)).toBe(200);
    }
  });

  test("requests that wait on a connection count, and no longer once the client is gone", async () => {
    const held: ServerResponse[] = [];
    const { timeouts } = readConfig({});
    const server = await serve(
      {
        listener: (request, response) => {
          if (isRefused(request)) response.end("refused");
          else held.push(response);
        },
        messages: { IncomingMessage, ServerResponse },
      },
      { host: "127.0.0.1", port: 0 },
      { logger: pino({ level: "silent" }), timeouts: { ...timeouts, ...fixedTimeouts }, maxRequests },
    );
    try {
      const first = await openConnection(server.url);
      // One is started, and the others wait for it.
      first.write(get.repeat(maxRequests));
      await expect.poll(() => held.length).toBe(1);
      const others = await openConnection(server.url);
      others.write(get);
      expect(String((await once(others, "data"))[0])).toContain("refused");
      // A client that only closed its side could still read the answers.
      first.resetAndDestroy();
      const count = () => {
        others.write(get);
        return held.length;
      };
      await expect.poll(count).toBe(2);
      others.resetAndDestroy();
    } finally {
      await server.close();
    }
  });
});

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

/** Begins as many requests as may be in progress. Each says that it is, with a 100 Continue. */
async function fill(server: TestServer): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: maxRequests }, async () => {
      const socket = await openConnection(server.url);
      socket.write(beginCreate(server));
      expect(String((await once(socket, "data"))[0])).toContain("100 Continue");
      return socket;
    }),
  );
}

function end(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

/** The head of a create whose body has one byte that does not come. */
function beginCreate(server: TestServer): string {
  return [
    "POST /api/v1/websites HTTP/1.1",
    "Host: a",
    `Authorization: Bearer ${server.key}`,
    "Content-Type: application/json",
    "Content-Length: 1",
    "Expect: 100-continue",
    "",
    "",
  ].join("\r\n");
}

function fail(): never {
  throw new Error("No connection was opened.");
}
