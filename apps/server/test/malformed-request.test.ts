import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { rawRequest } from "./support/raw-request.ts";
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

describeOnEveryEngine("malformed_request, 400", (engine) => {
  test("a request that is broken on the wire is refused with problem details, logged, and creates nothing", async () => {
    await using server = await startTestServer(engine);
    for (const [fault, write] of Object.entries(brokenRequests)) {
      const answer = await rawRequest(server.url, Buffer.from(write(server), "latin1"));
      expect([fault, ...answer.refusal]).toEqual([fault, 400, "malformed_request"]);
      expect((await server.call("GET", new URL(answer.problem.type).pathname)).status).toBe(200);
      expect(server.log.entries.map((entry) => entry["request_id"])).toContain(answer.problem.request_id);
    }
    expect((await server.call("GET", "/api/v1/websites")).page.data).toEqual([]);
  });

  test("a body that cannot be read is not quoted in the log, because it may contain a password", async () => {
    await using server = await startTestServer(engine);
    const answer = await server.call("POST", "/api/v1/websites", {
      body: '{"password":"correct horse" x}',
      headers: { "Content-Type": "application/json" },
    });
    expect(answer.refusal).toEqual([400, "malformed_request"]);
    expect(server.log.text).not.toMatch(/correct|horse/);
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
