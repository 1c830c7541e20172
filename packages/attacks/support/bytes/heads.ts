import { expecting, get, head, host, json, keyed, type RawRequests, refused, websites } from "./raw-requests.ts";

/** First lines: methods, versions, and what is no HTTP. */
export const requestLines: readonly RawRequests[] = [
  expecting(
    refused,
    [
      // TLS, HTTP/2
      ...["\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03garbage", "PRI * HTTP/2.0", "\0\0\0\0", "\xff\xfe\xfd", "GET"],
      ...["GET /healthz", "GET /healthz HTTP/1.2", "GET /healthz http/1.1", "GET /healthz HTTP/1.1 x"],
      ...["GET\t/healthz HTTP/1.1", " GET /healthz HTTP/1.1", "GET /healthz HTTP/1.1\nX: 1", "GET /heal\0thz HTTP/1.1"],
      ...["FETCH /healthz HTTP/1.1", "get /healthz HTTP/1.1", `${"A".repeat(20_000)} / HTTP/1.1`],
      ...["CONNECT example.com:443 HTTP/1.1", "CONNECT /healthz HTTP/1.1"],
    ],
    (line) => head(line, host),
  ),
  expecting(refused, [
    ...["GET\r\n\r\n", "GET /healthz\r\n\r\n", head("CONNECT example.com:443 HTTP/1.1")],
    ...["GET /healthz HTTP/1.1\nHost: a\n\n", `GET /healthz HTTP/1.1\r\n${host}\r\n\n`],
    head("CONNECT 127.0.0.1:80 HTTP/1.1", host) + get("/healthz"),
  ]),
  expecting(
    [200],
    [
      ...["\r\nGET /healthz HTTP/1.1", "\r\n\r\n\r\nGET /healthz HTTP/1.1", "\nGET /healthz HTTP/1.1"],
      ...["GET  /healthz HTTP/1.1", "GET /healthz  HTTP/1.1", "HEAD /healthz HTTP/1.1"],
    ],
    (line) => head(line, host),
  ),
  expecting(
    [200, "end"],
    // Node's parser also accepts RTSP, and reports it like HTTP/1.0.
    ["GET /healthz HTTP/1.0", "GET /healthz RTSP/1.0"],
    (line) => head(line, host),
  ),
  expecting([200, "end"], [head("GET /healthz HTTP/1.0")]),
  expecting([200], [head("GET /healthz HTTP/1.0", host, "Connection: keep-alive")]),
  expecting([405, "end"], [head("SOURCE /healthz ICE/1.0", host)]),
  expecting([405], ["TRACE", "PATCH", "PROPFIND"], (method) => head(`${method} ${websites} HTTP/1.1`, host, keyed)),
  expecting([204], [head(`OPTIONS ${websites} HTTP/1.1`, host, keyed)]),
  expecting([400], [head("OPTIONS * HTTP/1.1", host)]),
  expecting([401], [get(websites), head(`HEAD ${websites} HTTP/1.1`, host)]),
  expecting([200], [`${get("/healthz", "Content-Length: 5")}hello`]),
  expecting([200], ["websocket", "h2c"], (protocol) => get("/healthz", "Connection: Upgrade", `Upgrade: ${protocol}`)),
];

/** Hosts that appear in links, and hosts that programs read in different ways. */
export const hosts: readonly RawRequests[] = [
  expecting(
    [400],
    [
      ...["a@b", "a/b", "<script>", "a b", "a,b", "a\\b", "a?b", "a#b", "a:b", "a:65536", "a:-1", "a:80:80"],
      ...[":80", "[]", "[::1", "::1", "[::1]x", "[::g]", "[1.2.3.4]", "http://a", "a%2fb", "user:pass@a"],
      ...["a;b", '"a"', "\u00e9", "{a}", "*", "a=b", "a\tb", "a@b\r\nHost: a"],
    ],
    (name) => head("GET /healthz HTTP/1.1", `Host: ${name}`),
  ),
  expecting(
    [200],
    [
      ...["a", "EXAMPLE.com", "example.com:80", "example.com:65535", "example.com:", "127.0.0.1", "127.0.0.1:3000"],
      ...["[::1]", "[::1]:3000", "[2001:db8::1]:8080", "[::ffff:1.2.3.4]", "a_b.example", "xn--bcher-kva.example"],
      ...["example.com.", "1", "", "a".repeat(10_000)],
    ],
    (name) => head("GET /healthz HTTP/1.1", `Host: ${name}`),
  ),
  expecting(refused, ["Host: a\0b", "Host: a\r\n b", ` ${host}`], (line) => head("GET /healthz HTTP/1.1", line)),
  expecting([400], [head("GET /healthz HTTP/1.1"), head(`GET ${websites} HTTP/1.1`, keyed)]),
  expecting([400], ["Host: b", host], (line) => get("/healthz", line)),
  expecting(refused, [head("GET /healthz HTTP/1.0", "Host: a@b")]),
  // Only a trusted proxy may name these.
  expecting(
    [200],
    [
      ...["X-Forwarded-Host: a@b", "X-Forwarded-Host: b", "X-Forwarded-Proto: javascript"],
      'Forwarded: host="a@b";proto=javascript',
    ],
    (line) => get("/healthz", line),
  ),
];

/** Header lines: their form, number and size, and which may appear only once. */
export const headers: readonly RawRequests[] = [
  expecting(
    refused,
    [
      ...["X : 1", "X\t: 1", "X", ": 1", "X: 1\r\n 2", "X: 1\nY: 2", "X: 1\rY: 2", "X: 1\x002", "X: 1\x012"],
      ...["X: 1\x7f2", "X\0Y: 1", "X(Y): 1", "X\xfc: 1", `X: ${"x".repeat(17 * 1024)}`],
      ...[lines(17, `X: ${"x".repeat(1000)}`), `X: ${"x".repeat(1024 * 1024)}`, `${"X".repeat(17 * 1024)}: 1`],
    ],
    (line) => get("/healthz", line),
  ),
  expecting(refused, [
    get(websites, "Authorization: Bearer", " {key}"),
    `GET /healthz HTTP/1.1\r\nX: ${"x".repeat(17 * 1024)}`,
    `${get("/healthz", "Content-Length: 0", lines(2_097, "X: 1"), "Content-Length: 5")}hello`,
  ]),
  expecting(
    [200],
    [
      ...["X:", "X: \t 1 \t ", "X: \xfc", "__proto__: 1", "constructor: 1", `X: ${"x".repeat(15 * 1024)}`],
      ...[lines(99, "X: 1"), `X-Request-Id: ${"a".repeat(129)}`, "X-Request-Id: a%0d%0aSet-Cookie: x"],
      ...["Range: bytes=0-10", `Range: bytes=${"0-,".repeat(2_000)}`, "If-Match: x", "Accept: image/png"],
      ...["Accept-Encoding: identity;q=0, *;q=0", "X-Original-URL: /api/v1/websites\r\nX-Rewrite-URL: /"],
      ...["Expect: a-pony", "Expect: "],
    ],
    (line) => get("/openapi.json", line),
  ),
  expecting(
    [400],
    [
      ...[lines(100, "X: 1"), lines(2_099, "X: 1"), "X-Request-Id: a\r\nX-Request-Id: b", `${json}\r\n${json}`],
      `${lines(2_098, "X: 1")}\r\nTransfer-Encoding: chunked\r\n\r\n0`,
    ],
    (line) => get("/healthz", line),
  ),
  expecting(
    [200, "end"],
    ["Connection: close", "Connection: x, close", "Connection: close, keep-alive", "Expect: 100-continue"],
    (line) => get("/healthz", line),
  ),
  expecting(
    [400],
    [`${keyed}\r\n${keyed}`, `Authorization: Bearer x\r\n${keyed}`, `${keyed}\r\nAuthorization: Bearer x`],
    (line) => get(websites, line),
  ),
  expecting(
    [401],
    [
      ...["Authorization: Basic eDp5", "Authorization: Bearer", 'Authorization: Bearer "{key}"'],
      ...["Authorization: Bearer {key}, Bearer {key}", `Authorization: Bearer ${"k".repeat(15 * 1024)}`],
      ...["Authorization: Bearer {key}\xfc", "Proxy-Authorization: Bearer {key}"],
    ],
    (line) => get(websites, line),
  ),
  expecting(
    [200],
    ["Authorization: bearer {key}", `${keyed}\r\ntoString: 1`, `${keyed}\r\nConnection: authorization`],
    (line) => get(websites, line),
  ),
  expecting([200], [get(websites, keyed, "X-HTTP-Method-Override: DELETE")]),
];

function lines(count: number, line: string): string {
  return Array.from({ length: count }, () => line).join("\r\n");
}
