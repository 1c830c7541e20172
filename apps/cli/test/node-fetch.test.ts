import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { ConnectionError, type Fetch, Siteward } from "@siteward/sdk";
import { listen } from "@siteward/testing/listen";
import { describe, expect, test } from "vitest";
import { createNodeFetch } from "../src/client/node-fetch.ts";
import { unknownKey } from "./support/serve-fake.ts";

const nodeFetch = createNodeFetch(process);

/** A server with a client of it. */
async function serve(listener: RequestListener) {
  const server = await listen(createServer(listener));
  const baseUrl = `http://127.0.0.1:${server.port}`;
  return {
    ...server,
    baseUrl,
    siteward: new Siteward({ apiKey: unknownKey, baseUrl, fetch: nodeFetch, maxRetries: 0 }),
  };
}

describe("a request", () => {
  test("arrives with its body in UTF-8, and asks for no compression", async () => {
    const received: unknown[] = [];
    await using server = await serve(async (request, response) => {
      const { "accept-encoding": encoding, "content-length": length } = request.headers;
      received.push({ encoding, length, body: await text(request) });
      response.end("{}");
    });
    await server.siteward.request({ method: "DELETE", path: "/", body: { domain: "bücher.example" } });
    await server.siteward.request({ method: "PUT", path: "/" });
    expect(received).toEqual([
      { encoding: undefined, length: "28", body: '{"domain":"bücher.example"}' },
      { encoding: undefined, length: "0", body: "" },
    ]);
  });

  test("uses the connection of the one before", async () => {
    await using server = await serve((_request, response) => response.end("{}"));
    for (let count = 0; count < 10; count += 1) await server.siteward.request({ method: "GET", path: "/" });
    expect(server.sockets.size).toBe(1);
  });
});

describe("a response", () => {
  test("that redirects is not followed", async () => {
    const paths: unknown[] = [];
    await using server = await serve((request, response) => {
      paths.push(request.url);
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    const call = server.siteward.request({ method: "GET", path: "/" });
    await expect(call).rejects.toMatchObject({ status: 302 });
    expect(paths).toEqual(["/"]);
  });

  test("without an end is refused, and its connection is closed", async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await serve((_request, response) => {
      const chunk = Buffer.alloc(1_000_000, "x");
      const send = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", send).on("close", closed.resolve);
      send();
    });
    const call = server.siteward.request({ method: "GET", path: "/" });
    await expect(call).rejects.toMatchObject({ code: "unexpected_response" });
    await closed.promise;
  });
});

describe("a signal closes the connection", () => {
  test.each([
    ["before the response", () => undefined],
    ["during the response", (response: { write: (text: string) => unknown }) => response.write("{")],
  ])("%s", async (_name, begin) => {
    const closed = Promise.withResolvers<void>();
    const controller = new AbortController();
    await using server = await serve((_request, response) => {
      response.on("close", closed.resolve);
      begin(response);
      setTimeout(() => controller.abort(), 50);
    });
    const call = server.siteward.request({ method: "GET", path: "/" }, { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: "aborted" });
    await closed.promise;
  });

  test("before the request, so that nothing is sent", async () => {
    await using server = await serve((_request, response) => response.end("{}"));
    const call = nodeFetch(server.baseUrl, {
      method: "GET",
      headers: {},
      body: null,
      redirect: "manual",
      signal: AbortSignal.abort(),
    });
    await expect(call).rejects.toThrow("aborted");
    expect(server.sockets.size).toBe(0);
  });
});

test.each([
  [
    "a service that is not running",
    "http://127.0.0.1:64999",
    { requestSent: false, message: expect.stringContaining("ECONNREFUSED") },
  ],
  ["a host that does not exist", "http://siteward.invalid", { requestSent: false }],
  ["HTTPS on a port without TLS", "https://127.0.0.1:PORT", { message: expect.stringContaining("Try http://.") }],
])("a failed connection is reported as with the global fetch: %s", async (_name, url, expected) => {
  await using server = await serve((_request, response) => response.end("{}"));
  const baseUrl = url.replace("PORT", String(server.port));
  const ours = await failureOf({ baseUrl, fetch: createNodeFetch(process) });
  expect(ours).toMatchObject(expected);
  expect(ours).toEqual(await failureOf({ baseUrl, fetch }));
});

describe("an answer that is not complete HTTP fails, and the request may have been carried out", () => {
  test.each([
    ["nothing", ""],
    ["half a header", "HTTP/1.1 200 OK\r\ncontent-le"],
    ["a body that is too short", 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"data":{}}'],
    ["two lengths", 'HTTP/1.1 200 OK\r\ncontent-length: 11\r\ncontent-length: 2\r\n\r\n{"data":{}}'],
    ["a NUL in a header", "HTTP/1.1 200 OK\r\nx: a\0b\r\ncontent-length: 2\r\n\r\n{}"],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n"],
  ])("%s", async (_name, bytes) => {
    const answer = createTcpServer((socket) => void socket.once("data", () => socket.end(bytes, "latin1")));
    await using server = await listen(answer);
    const failure = await failureOf({ baseUrl: `http://127.0.0.1:${server.port}`, fetch: nodeFetch });
    expect(failure.requestSent).toBe(true);
    expect(failure.message).toMatch(/got no complete response: .+\./);
  });
});

/** What a caller sees of a `ConnectionError`. */
interface Failure {
  readonly message: string;
  readonly requestSent: boolean;
}

/** Makes a call that fails to connect or to get a response. */
async function failureOf({ baseUrl, fetch }: { readonly baseUrl: string; readonly fetch: Fetch }): Promise<Failure> {
  const siteward = new Siteward({ apiKey: unknownKey, baseUrl, fetch, maxRetries: 0, timeoutMs: 20_000 });
  try {
    await siteward.websites.get(7);
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    const { message, requestSent } = error;
    return { message, requestSent };
  }
  throw new Error("The call succeeded.");
}
