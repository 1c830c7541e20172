import { getEventListeners, once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { Fetch } from "../src/options/siteward-options.ts";
import { Siteward } from "../src/siteward.ts";
import { catchError } from "./support/connect.ts";
import { apiKey } from "./support/keys.ts";
import { empty, hangUp, json, problem, type Responder, serve } from "./support/serve.ts";

const page: Responder = (response) => {
  response.writeHead(502, { "content-type": "text/html; charset=utf-8" }).end(`<h1>Bad gateway</h1>${apiKey}`);
};

test("a response that is not from the service is reported with its status, content type and URL, without its body", async () => {
  await using server = await serve(page);
  const call = connect(server.baseUrl).websites.list({ search: "mine" });
  await expect(call).rejects.toMatchObject({
    name: "ApiError",
    code: "unexpected_response",
    status: 502,
    problem: undefined,
    message:
      `GET ${server.baseUrl}/api/v1/websites returned status 502 with a body (text/html) ` +
      "that the service does not send. Check baseUrl and any proxy in between. (502 unexpected_response)",
  });
});

test("a body of more bytes than maxResponseBytes is an unexpected response after 16 MiB, and read no further if it never ends", async () => {
  const chunk = new Uint8Array(2 ** 20).fill(0x20);
  let chunks = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      chunks += 1;
      controller.enqueue(chunk);
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const siteward = new Siteward({ apiKey, fetch: async () => new Response(body), maxRetries: 2 });
  await expect(siteward.account.get()).rejects.toMatchObject({
    code: "unexpected_response",
    status: 200,
    attempts: 1,
    detail: expect.stringContaining("returned more than 16777216 bytes."),
  });
  expect(isCancelled).toBe(true);
  expect(chunks).toBeLessThan(20);
});

test.each([
  // It has 21 characters.
  ["streams of single bytes", (text: string) => new Response(ReadableStream.from(bytesOf(text))), 23],
  ["no streams", (text: string) => Object.assign(new Response(null), { text: async () => text }), 21],
])(
  "a body of more bytes than maxResponseBytes is refused before it is parsed, also if it is valid: a fetch with %s",
  async (_name, respond, bytes) => {
    const fetch = async () => respond('{"data":{"name":"€"}}');
    const siteward = new Siteward({ apiKey, fetch, maxResponseBytes: bytes });
    expect(await siteward.account.get()).toEqual({ name: "€" });
    const strict = siteward.withOptions({ maxResponseBytes: bytes - 1 });
    await expect(strict.account.get()).rejects.toMatchObject({ code: "unexpected_response" });
  },
);

test.each<[status: number, to: string]>([
  ...[301, 302, 303, 307, 308].map((status): [number, string] => [status, "another origin"]),
  [308, "its own origin"],
])("a redirect (%d) to %s is not followed, so the key is sent nowhere else", async (status, to) => {
  await using other = await serve(json(200, { data: {} }));
  const origin = to === "another origin" ? other.baseUrl : "";
  await using server = await serve(empty(status, { location: `${origin}/api/v1/account?token=1` }));
  const told = `a redirect (${status}) to ${origin}/api/v1/account, which the SDK does not follow`;
  await expect(connect(server.baseUrl).account.get()).rejects.toMatchObject({
    ...{ code: "unexpected_response", status, message: expect.stringContaining(told) },
  });
  expect([other.seen.length, server.seen.length]).toEqual([0, 1]);
});

test("the timeout ends the call and removes its listener, even if fetch ignores the signal", async () => {
  const { signal } = new AbortController();
  const fetch: Fetch = () => new Promise(() => {});
  const call = new Siteward({ apiKey, fetch }).account.get({ timeoutMs: 50, maxRetries: 0, signal });
  await expect(call).rejects.toMatchObject({ code: "timeout" });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

describe("a connection error", () => {
  test("says that the request was not sent if the connection is refused, with the system's reason", async () => {
    const closed = await serve(hangUp);
    await closed[Symbol.asyncDispose]();
    await expect(connect(closed.baseUrl).account.get()).rejects.toMatchObject({
      name: "ConnectionError",
      requestSent: false,
      message: expect.stringMatching(
        /^GET http:\/\/127\.0\.0\.1:\d+\/api\/v1\/account got no complete response: .*ECONNREFUSED/,
      ),
      cause: { code: "ECONNREFUSED" },
    });
  });

  test("says to try http:// if the server does not use TLS", async () => {
    await using server = await serve(json(200, { data: {} }));
    await expect(connect(server.baseUrl.replace("http:", "https:")).account.get()).rejects.toMatchObject({
      code: "connection_failed",
      message: expect.stringMatching(
        /account got no complete response: the server does not use TLS on this port\. Try http:\/\/\.$/,
      ),
    });
  });

  test.each([
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", ["server.crt"]],
    ["SELF_SIGNED_CERT_IN_CHAIN", ["server.crt", "ca.crt"]],
  ])("of a certificate of a private CA (%s) names NODE_EXTRA_CA_CERTS", async (code, certificates) => {
    const read = (name: string) => readFileSync(new URL(`../../../apps/server/test/tls/${name}`, import.meta.url));
    const cert = Buffer.concat(certificates.map(read));
    await using server = createServer({ key: read("server.key"), cert }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await expect(connect(`https://localhost:${port}`).account.get()).rejects.toMatchObject({
      requestSent: false,
      message: expect.stringMatching(
        /certificate.*\. If its CA is private, set NODE_EXTRA_CA_CERTS to the path of its PEM file\.$/,
      ),
      cause: { code },
    });
  });

  test("of a proxy that asks for a user says where to put it, as does its answer to http://", async () => {
    const advice = "Put the user and password of the proxy into its URL: http://user:password@proxy.example:3128.";
    // As the fetch of Node and its agent with a proxy say it.
    const [undici, agent] = ["Proxy response (407) !== 200 when HTTP Tunneling", "HTTP/1.1 407 Proxy Authentication"];
    const tunnels = [undici, agent].map((reason): Fetch => {
      return () => Promise.reject(new TypeError("fetch failed", { cause: new Error(reason) }));
    });
    for (const fetch of [...tunnels, async () => new Response("", { status: 407 })]) {
      const { message } = await catchError(new Siteward({ apiKey, maxRetries: 0, fetch }).account.get());
      expect(message).toContain(advice);
      expect(message).not.toContain("baseUrl");
    }
  });

  test.each([
    [{ code: "ENOTFOUND" }, false],
    [{ code: "ENETUNREACH" }, false],
    [{ code: "UND_ERR_CONNECT_TIMEOUT" }, false],
    [{ code: "ConnectionRefused" }, false],
    [{ code: "EPIPE" }, true],
    // The host becomes unreachable during the response.
    [{ code: "EHOSTUNREACH", syscall: "read" }, true],
  ])("says of %j whether the request was sent: %s", async (fields, requestSent) => {
    const fetch: Fetch = async () => {
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("TLS"), fields) });
    };
    const call = new Siteward({ apiKey, fetch, maxRetries: 0 }).account.get();
    await expect(call).rejects.toMatchObject({ code: "connection_failed", requestSent });
  });
});

test("an error of another realm, as fetch throws it in a test of Jest, is read like every other, with its causes", async () => {
  const thrown: unknown = runInNewContext(
    `new TypeError("fetch failed", { cause: Object.assign(new Error("no route"), { code: "ECONNREFUSED" }) })`,
  );
  const call = new Siteward({ apiKey, fetch: () => Promise.reject(thrown), maxRetries: 0 }).account.get();
  await expect(call).rejects.toMatchObject({
    requestSent: false,
    message: expect.stringContaining("got no complete response: no route."),
    cause: { message: "no route", code: "ECONNREFUSED" },
  });
});

describe("the API key is in no error", () => {
  test.each([
    ["that echoes it in a problem", problem(401, "unauthenticated", { detail: `${apiKey} is unknown` })],
    ["that echoes it in a header", problem(401, "unauthenticated", {}, { "x-echo": `Bearer ${apiKey}` })],
    ["that redirects to it", empty(302, { location: `http://127.0.0.1/${apiKey}` })],
  ])("of a server %s", async (_name, responder) => {
    await using server = await serve(responder);
    expect(await inspectError(connect(server.baseUrl))).not.toContain(apiKey);
  });

  test("of a fetch that attaches the request to what it throws", async () => {
    const fetch: Fetch = async (_url, init) => {
      const cause = new Error(`socket closed while sending ${apiKey}`);
      throw Object.assign(new TypeError(`failed with ${apiKey}`, { cause }), { request: init, config: { apiKey } });
    };
    const shown = await inspectError(new Siteward({ apiKey, fetch, maxRetries: 0 }));
    expect(shown).toContain("socket closed while sending [API key]");
    expect(shown).not.toContain(apiKey);
  });

  test("of a fetch that throws a value that is not an error", async () => {
    const fetch: Fetch = () => Promise.reject(`no route for ${apiKey}`);
    expect(await inspectError(new Siteward({ apiKey, fetch, maxRetries: 0 }))).toContain("no route for [API key]");
  });
});

function bytesOf(text: string): Uint8Array<ArrayBuffer>[] {
  return Array.from(new TextEncoder().encode(text), (byte) => Uint8Array.of(byte));
}

function connect(baseUrl: string): Siteward {
  return new Siteward({ apiKey, baseUrl, maxRetries: 0 });
}

async function inspectError(siteward: Siteward): Promise<string> {
  const error = await catchError(siteward.account.get());
  return inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error);
}
