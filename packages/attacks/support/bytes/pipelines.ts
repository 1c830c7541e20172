import {
  create,
  createHead,
  type Expected,
  expecting,
  form,
  get,
  head,
  host,
  keyed,
  type RawRequests,
  websites,
} from "./raw-requests.ts";

const body = "domain={domain}";
const junk = "\x16\x03\x01 this is no request\r\n\r\n";
const health = get("/healthz");
const list = get(websites, keyed);
const one = create(form, body);
const unfinished = createHead(form, "Transfer-Encoding: chunked");

/** Several requests on one connection, with junk between them. Requests before the junk get their own answers. */
export const pipelines: readonly RawRequests[] = [
  expecting([200, 200], [health + health, health + list]),
  expecting(times(30, 200), [health.repeat(30), list.repeat(30)]),
  expecting([200, 200, 404, 401, 200], [health + list + get("/nowhere") + get(websites) + health]),
  expecting([201, 200], [one + list, one + get("/healthz", "Connection: Upgrade", "Upgrade: websocket")]),
  expecting([201, 401], [one + get(websites)]),
  expecting([201, 409], [one + one]),
  expecting([200, "end"], [health, list, head("HEAD /healthz HTTP/1.1", host)], (request) => request + junk),
  expecting([201, "end"], [one + junk, `${one}x`, `${one}\0`]),
  expecting([201, 409, "end"], [one + one + junk]),
  expecting([401, "end"], [get(websites) + junk]),
  expecting([422, "end"], [create(form, "domain=") + junk]),
  expecting([404, "end"], [get("/nowhere") + junk]),
  expecting([201], [`${one}\r\n`]),
  expecting([201, "waits"], [`${one}GET /healthz HTTP/1.1\r\nHos`]),
  expecting([201, "end"], [createHead(form, "Content-Length: 13") + body + health]),
  expecting([200, "end"], [junk, health, one], (rest) => get("/healthz", "Connection: close") + rest),
  expecting([200, "end"], [head("GET /healthz HTTP/1.0", host) + health]),
  ...[200, 201].map((status) =>
    expecting(
      [status, 400, "end"],
      [head("CONNECT a:1 HTTP/1.1", "Host: a:1"), `${unfinished}zz\r\n`],
      (broken) => (status === 200 ? health : one) + broken,
    ),
  ),
  expecting([200, 413, "end"], [health + createHead(form, "Content-Length: 65537")]),
  expecting([200, "end"], [health + get("/healthz", `X: ${"x".repeat(17 * 1024)}`)]),
  expecting([200, 400], [health + head("GET /healthz HTTP/1.1", "Host: a@b")]),
];

const expectation = "Expect: 100-continue";
const length = `Content-Length: ${body.length}`;

/** Requests with Expect. The server refuses an invalid request immediately, and requests the body only of a valid one. */
export const expectations: readonly RawRequests[] = [
  expecting(
    [100, 201],
    [expectation, "Expect: 100-CONTINUE", "Expect: 100-continue, a-pony"],
    (line) => createHead(form, length, line) + body,
  ),
  expecting([100, 201], [`${createHead(form, "Transfer-Encoding: chunked", expectation)}f\r\n${body}\r\n0\r\n\r\n`]),
  expecting([100, "waits"], [createHead(form, length, expectation)]),
  expecting([100, 422], [`${createHead(form, "Content-Length: 7", expectation)}domain=`]),
  expecting([201], [createHead(form, length, "Expect: a-pony") + body]),
  expecting([201, "end"], [head(`POST ${websites} HTTP/1.0`, host, keyed, form, length, expectation) + body]),
  expecting([401, "end"], [form, `${form}\r\nAuthorization: Bearer x`], (lines) =>
    head(`POST ${websites} HTTP/1.1`, host, lines, length, expectation),
  ),
  expecting([401, "end"], [head(`POST ${websites} HTTP/1.1`, host, form, length, expectation) + one]),
  expecting([404, "end"], ["/nowhere", "/api/v1/nowhere"], (path) =>
    head(`POST ${path} HTTP/1.1`, host, keyed, form, length, expectation),
  ),
  expecting([405, "end"], [head(`PATCH ${websites} HTTP/1.1`, host, keyed, form, length, expectation)]),
  expecting(
    [415, "end"],
    ["Content-Type: text/plain", `${form}; charset=x`, `${form}\r\nContent-Encoding: zstd`],
    (lines) => createHead(lines, length, expectation),
  ),
  expecting([413, "end"], ["65537", "1000000000000"], (bytes) =>
    createHead(form, `Content-Length: ${bytes}`, expectation),
  ),
  expecting([400, "end"], [head(`POST ${websites} HTTP/1.1`, "Host: a@b", keyed, form, length, expectation)]),
];

function times(count: number, status: number): Expected {
  return Array.from({ length: count }, () => status);
}
