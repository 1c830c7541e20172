import { create, createHead, form, get, head, keyed, type RawCases, websites } from "../raw-case.ts";

const body = "domain={domain}";
const junk = "\x16\x03\x01 this is no request\r\n\r\n";
const list = get(websites, keyed);
const health = get("/healthz");

/** Several requests on one connection, with junk between them. Requests before the junk get their own answers. */
export const pipelines: RawCases = {
  "two requests": [health + health, [200, 200]],
  "10 requests": [health.repeat(10), Array.from({ length: 10 }, () => 200)],
  "10 requests with a key": [list.repeat(10), Array.from({ length: 10 }, () => 200)],
  "different requests": [health + list + get("/nowhere") + get(websites) + health, [200, 200, 404, 401, 200]],
  "a create, then a list": [create(form, body) + list, [201, 200]],
  "a create, then a request without a key": [create(form, body) + get(websites), [201, 401]],
  "a create, then the same create": [create(form, body) + create(form, body), [201, 409]],
  "junk after a request": [health + junk, [200, "end"]],
  "junk after a list": [list + junk, [200, "end"]],
  "junk after a create": [create(form, body) + junk, [201, "end"]],
  "junk after two creates": [create(form, body) + create(form, body) + junk, [201, 409, "end"]],
  "junk after a request without a key": [get(websites) + junk, [401, "end"]],
  "junk after a refused create": [create(form, "domain=") + junk, [422, "end"]],
  "junk after an unknown path": [get("/nowhere") + junk, [404, "end"]],
  "junk after a HEAD": [head("HEAD /healthz HTTP/1.1", "Host: a") + junk, [200, "end"]],
  "one byte after a create": [`${create(form, body)}x`, [201, "waits"]],
  "a zero byte after a create": [`${create(form, body)}\0`, [201, "end"]],
  "a newline after a create": [`${create(form, body)}\r\n`, [201]],
  "half of a request after a create": [`${create(form, body)}GET /healthz HTTP/1.1\r\nHos`, [201, "waits"]],
  "a create with a length that is too small by two, then a request": [
    createHead(form, "Content-Length: 13") + body + health,
    [201, "end"],
  ],
  "junk after Connection: close": [get("/healthz", "Connection: close") + junk, [200, "end"]],
  "a request after Connection: close": [get("/healthz", "Connection: close") + health, [200, "end"]],
  "a create after Connection: close": [get("/healthz", "Connection: close") + create(form, body), [200, "end"]],
  "a request after HTTP/1.0": [head("GET /healthz HTTP/1.0", "Host: a") + health, [200, "end"]],
  "a CONNECT after a request": [health + head("CONNECT a:1 HTTP/1.1", "Host: a:1"), [200, 400, "end"]],
  "a CONNECT after a create": [create(form, body) + head("CONNECT a:1 HTTP/1.1", "Host: a:1"), [201, 400, "end"]],
  "an upgrade after a create": [
    create(form, body) + get("/healthz", "Connection: Upgrade", "Upgrade: websocket"),
    [201, 200],
  ],
  "broken chunks after a request": [
    `${health}${createHead(form, "Transfer-Encoding: chunked")}zz\r\n`,
    [200, 400, "end"],
  ],
  "broken chunks after a create": [
    `${create(form, body)}${createHead(form, "Transfer-Encoding: chunked")}zz\r\n`,
    [201, 400, "end"],
  ],
  "an oversized body after a request": [health + createHead(form, "Content-Length: 65537"), [200, 413, "end"]],
  "headers of 17 KiB after a request": [health + get("/healthz", `X: ${"x".repeat(17 * 1024)}`), [200, "end"]],
  "a host that is not valid after a request": [health + head("GET /healthz HTTP/1.1", "Host: a@b"), [200, 400]],
  "30 requests": [health.repeat(30), Array.from({ length: 30 }, () => 200)],
};
