import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { openConnection, rawRequest, rawRequests, readAnswer, readAnswers } from "./support/raw-request.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

/** Requests that no HTTP client would send, by their fault. */
const brokenRequests: Record<string, (server: TestServer) => string> = {
  "bytes that are not HTTP": () => "\x16\x03\x01garbage\r\n\r\n",
  "an unknown method": () => "FETCH / HTTP/1.1\r\nHost: a\r\n\r\n",
  "an unknown HTTP version": () => "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
  "HTTP/2.0 in its request line": () => "GET /healthz HTTP/2.0\r\nHost: a\r\nConnection: close\r\n\r\n",
  "HTTP/0.9 in its request line": () => "GET /healthz HTTP/0.9\r\nHost: a\r\nConnection: close\r\n\r\n",
  "the method CONNECT": () => "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n",
  "no Host": ({ key }) => `GET /api/v1/websites HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
  "two Host headers": (server) => head(server, "GET", "Host: b"),
  "two Authorization headers": (server) => head(server, "GET", `Authorization: Bearer ${server.key}`),
  "two Content-Type headers": (server) => head(server, "POST", ...repeat("Content-Type: application/json", 2)),
  "an absolute request target": ({ key }) => targetOf("http://a/api/v1/websites", key),
  "a fragment in its target": ({ key }) => targetOf("/api/v1/websites#x", key),
  "a backslash in its target": ({ key }) => targetOf("/api\\v1/websites", key),
  "a target that is not ASCII": ({ key }) => targetOf("/api/v1/websites?search=b\u00fccher", key),
  "more than 100 headers": (server) => head(server, "GET", ...repeat("X: 1", 98)),
  "headers of more than 16 KiB": (server) => head(server, "GET", `X: ${"x".repeat(17_000)}`),
  "both a length and chunks": (server) =>
    `${head(server, "POST", form, "Content-Length: 5", "Transfer-Encoding: chunked")}0\r\n\r\n`,
  "two lengths": (server) => `${head(server, "POST", form, "Content-Length: 5", "Content-Length: 6")}domain`,
  "a length that is not a number": (server) => head(server, "POST", form, "Content-Length: 0x5"),
  "a chunk without a size": (server) => `${head(server, "POST", form, "Transfer-Encoding: chunked")}zz\r\n\r\n`,
  "chunk extensions of more than 16 KiB": (server) =>
    `${head(server, "POST", form, "Transfer-Encoding: chunked")}1;${"x".repeat(17_000)}\r\na\r\n0\r\n\r\n`,
  "a header with a bare line feed": (server) => head(server, "GET", "X: 1\nY: 2"),
  "a space before the colon of a header": (server) => head(server, "GET", "X : 1"),
};

const form = "Content-Type: application/x-www-form-urlencoded";

/** Bodies that cannot be read, by their fault: content type and content. */
const brokenBodies: Record<
  string,
  readonly [type: "json" | "x-www-form-urlencoded", body: string | Uint8Array<ArrayBuffer>]
> = {
  "JSON that ends early": ["json", '{"domain":"example.com"'],
  "JSON with a trailing comma": ["json", '{"domain":"example.com",}'],
  "text that is not JSON": ["json", "domain=example.com"],
  "JSON with an own __proto__": ["json", '{"domain":"example.com","__proto__":{"privacy":1}}'],
  "JSON with an escaped __proto__": ["json", '{"domain":"example.com","\\u005f_proto__":{"privacy":1}}'],
  "JSON with constructor.prototype": ["json", '{"domain":"example.com","constructor":{"prototype":{"privacy":1}}}'],
  "JSON that names a field twice": ["json", '{"domain":"example.com","domain":"example.org"}'],
  "JSON that names a field twice, once escaped": ["json", '{"domain":"example.com", "\\u0064omain" : "example.org"}'],
  "JSON that is not UTF-8": ["json", Uint8Array.of(0x22, 0xff, 0x22)],
  "a form with a broken percent sign": ["x-www-form-urlencoded", "domain=%zz"],
  "a form with half a percent sign": ["x-www-form-urlencoded", "domain=example.com&password=%4"],
  "a form that spells invalid UTF-8": ["x-www-form-urlencoded", "domain=%ff%fe.example"],
  "a form that is not UTF-8": ["x-www-form-urlencoded", Uint8Array.of(0x64, 0x3d, 0xff)],
};

describeOnEveryEngine("malformed_request, 400", (engine) => {
  test.for(Object.entries(brokenRequests))("a request with %s is refused with problem details", async ([, write]) => {
    await using server = await startTestServer(engine);
    const answer = await rawRequest(server.url, Buffer.from(write(server), "latin1"));
    expect(answer.refusal).toEqual([400, "malformed_request"]);
    expect((await server.call("GET", new URL(answer.problem.type).pathname)).status).toBe(200);
    expect(server.log.entries.map((entry) => entry["request_id"])).toContain(answer.problem.request_id);
    expect((await server.call("GET", "/api/v1/websites")).page.data).toEqual([]);
  });

  test.for(Object.entries(brokenBodies))("%s is refused, and nothing is created", async ([, [type, body]]) => {
    await using server = await startTestServer(engine);
    const headers = { "Content-Type": `application/${type}` };
    const answer = await server.call("POST", "/api/v1/websites", { body, headers });
    expect(answer.refusal).toEqual([400, "malformed_request"]);
    expect((await server.call("GET", "/api/v1/websites")).page.data).toEqual([]);
  });

  test.for([
    ["it is not valid JSON.", '{"domain":"example.com",}'],
    ["it contains a field twice. Send each field once.", '{"domain":"example.com","domain":"example.org"}'],
    [
      'it contains a member named "__proto__", or a "constructor" with a "prototype". Remove it.',
      '{"constructor":{"prototype":1}}',
    ],
  ] as const)("the answer to JSON that cannot be read says: %s", async ([fault, body]) => {
    await using server = await startTestServer(engine);
    const headers = { "Content-Type": "application/json" };
    const { problem } = await server.call("POST", "/api/v1/websites", { body, headers });
    expect(problem.detail).toBe(`The body could not be read: ${fault}`);
  });

  test("a body that cannot be read is not quoted, because it may contain a password", async () => {
    await using server = await startTestServer(engine);
    const answer = await server.call("POST", "/api/v1/websites", {
      body: '{"password":"correct horse" x}',
      headers: { "Content-Type": "application/json" },
    });
    expect(answer.refusal).toEqual([400, "malformed_request"]);
    expect(answer.text).not.toMatch(/correct|horse/);
    expect(server.log.text).not.toMatch(/correct|horse/);
  });

  test.for([
    ["gzip", Buffer.from("this is not gzip")],
    ["gzip", gzipSync("domain=example.com").subarray(0, 20)],
    ["br", Buffer.from("this is not brotli")],
  ] as const)("a body whose %s compression is broken is refused", async ([encoding, body]) => {
    await using server = await startTestServer(engine);
    const answer = await server.call("POST", "/api/v1/websites", {
      body: new Uint8Array(body),
      headers: { "Content-Type": "application/x-www-form-urlencoded", "Content-Encoding": encoding },
    });
    expect(answer.refusal).toEqual([400, "malformed_request"]);
  });

  test.for(["search=%zz", "search=%ff", "%"])("the query %s is refused", async (query) => {
    await using server = await startTestServer(engine);
    const answer = await server.call("GET", `/api/v1/websites?${query}`);
    expect(answer.refusal).toEqual([400, "malformed_request"]);
  });

  test("a broken query without a key gets a 401", async () => {
    await using server = await startTestServer(engine);
    expect((await server.call("GET", "/api/v1/websites?search=%zz", { key: null })).refusal).toEqual([
      401,
      "unauthenticated",
    ]);
  });

  test.for(["a@b", "a/b", "<script>", "a b", "a:b", "a:99999", "[::1", "[:::]", "a?b", "a#b", "a\\b", "a%2fb", "é"])(
    "the Host %s is refused, and no link contains it",
    async (host) => {
      await using server = await startTestServer(engine);
      const headers = `Host: ${host}\r\nAuthorization: Bearer ${server.key}\r\nConnection: close\r\n`;
      const bytes = `POST /api/v1/websites HTTP/1.1\r\n${headers}${form}\r\nContent-Length: 18\r\n\r\ndomain=example.com`;
      const answer = await rawRequest(server.url, Buffer.from(bytes, "latin1"));
      expect(answer.refusal).toEqual([400, "malformed_request"]);
      expect(answer.problem.type).toBe("http://localhost/docs/errors/malformed_request");
      expect((await server.call("GET", "/api/v1/websites")).page.data).toEqual([]);
    },
  );

  test("bytes after a request do not replace its answer", async () => {
    await using server = await startTestServer(engine);
    const body = "domain=example.com";
    const headers = `Host: a\r\nAuthorization: Bearer ${server.key}\r\n${form}\r\nContent-Length: ${body.length - 2}\r\n`;
    const [answer, ...more] = await rawRequests(server.url, `POST /api/v1/websites HTTP/1.1\r\n${headers}\r\n${body}`);
    expect(answer?.status).toBe(201);
    expect(answer?.website.domain).toBe("example.c");
    expect(answer?.header("Connection")).toBe("close");
    expect(more).toEqual([]);
  });

  test("a request whose body is broken is refused after the requests before it are answered", async () => {
    await using server = await startTestServer(engine);
    const headers = `Host: a\r\nAuthorization: Bearer ${server.key}\r\n`;
    const good = `GET /api/v1/account HTTP/1.1\r\n${headers}\r\n`;
    const broken = `POST /api/v1/websites HTTP/1.1\r\n${headers}${form}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`;
    const answers = await rawRequests(server.url, good + good + broken);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
  });

  test.for(["Transfer-Encoding: chunked\r\n\r\nzz\r\n", "Content-Length: 5\r\n\r\nab"])(
    "a request whose body is broken deletes nothing: %j",
    async (rest) => {
      await using server = await startTestServer(engine);
      await server.call("POST", "/api/v1/websites", { form: { domain: "example.com" } });
      const socket = await openConnection(server.url);
      const answer = readAnswer(socket);
      socket.end(`DELETE /api/v1/websites/1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.key}\r\n${rest}`);
      expect((await answer).refusal).toEqual([400, "malformed_request"]);
      expect((await server.call("GET", "/api/v1/websites/1")).status).toBe(200);
    },
  );

  test("a body that turns out broken after its request was refused gets no second answer", async () => {
    await using server = await startTestServer(engine);
    const socket = await openConnection(server.url);
    const answers = readAnswers(socket);
    socket.write(`POST /api/v1/websites HTTP/1.1\r\nHost: a\r\n${form}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    await sleep(100);
    socket.write("zz\r\n");
    expect((await answers).map(({ refusal }) => refusal)).toEqual([[401, "unauthenticated"]]);
  });

  test("a broken request after a valid one on the same connection does not replace the answer to the valid one", async () => {
    await using server = await startTestServer(engine);
    const socket = await openConnection(server.url);
    const first = Promise.withResolvers<string>();
    socket.once("data", (chunk) => first.resolve(String(chunk)));
    socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(await first.promise).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const second = readAnswer(socket);
    socket.write("garbage\r\n\r\n");
    expect((await second).refusal).toEqual([400, "malformed_request"]);
  });
});

describe("unusual but well-formed requests", () => {
  describeOnEveryEngine("are answered", (engine) => {
    test("HTTP/1.0 without a Host", async () => {
      await using server = await startTestServer(engine);
      const answer = await rawRequest(
        server.url,
        `GET /api/v1/account HTTP/1.0\r\nAuthorization: Bearer ${server.key}\r\n\r\n`,
      );
      expect(answer.account.id).toBe(server.accountId);
    });

    test("an expectation that the server does not know", async () => {
      await using server = await startTestServer(engine);
      expect((await rawRequest(server.url, head(server, "GET", "Expect: a-pony"))).status).toBe(200);
    });

    test.for(["example.com", "example.com:8080", "EXAMPLE.com", "a_b-c.internal", "127.0.0.1:80", "[::1]:3000", "a:"])(
      "the Host %s, which stands in the links",
      async (host) => {
        await using server = await startTestServer(engine);
        const headers = `Host: ${host}\r\nAuthorization: Bearer ${server.key}\r\nConnection: close\r\n`;
        const answer = await rawRequest(server.url, `GET /api/v1/websites HTTP/1.1\r\n${headers}\r\n`);
        expect(answer.page.links.first).toBe(`http://${host}/api/v1/websites`);
      },
    );

    test("exactly 100 headers", async () => {
      await using server = await startTestServer(engine);
      expect((await rawRequest(server.url, head(server, "GET", ...repeat("X: 1", 97)))).status).toBe(200);
    });
  });
});

function head({ key }: TestServer, method: string, ...headers: string[]): string {
  const own = ["Host: a", `Authorization: Bearer ${key}`, "Connection: close"];
  return [`${method} /api/v1/websites HTTP/1.1`, ...own, ...headers, "", ""].join("\r\n");
}

function targetOf(target: string, key: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
}

function repeat(header: string, times: number): string[] {
  return Array.from({ length: times }, () => header);
}
