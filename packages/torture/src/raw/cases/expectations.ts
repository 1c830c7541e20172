import { create, createHead, form, get, head, keyed, type RawCases, websites } from "../raw-case.ts";

const expect = "Expect: 100-continue";
const body = "domain={domain}";
const length = `Content-Length: ${body.length}`;

/** Requests with Expect. The server refuses an invalid request immediately, and requests the body only of a valid one. */
export const expectations: RawCases = {
  "Expect, then the body": [createHead(form, length, expect) + body, [100, 201]],
  "Expect, and no body yet": [createHead(form, length, expect), [100, "waits"]],
  "Expect in capitals": [createHead(form, length, "Expect: 100-CONTINUE") + body, [100, 201]],
  "Expect, with chunks": [
    `${createHead(form, "Transfer-Encoding: chunked", expect)}f\r\n${body}\r\n0\r\n\r\n`,
    [100, 201],
  ],
  "Expect without a key": [postOf(websites, form, length, expect), [401, "end"]],
  "Expect without a key, and a create after it": [
    postOf(websites, form, length, expect) + create(form, body),
    [401, "end"],
  ],
  "Expect with a wrong key": [postOf(websites, "Authorization: Bearer x", form, length, expect), [401, "end"]],
  "Expect at an unknown path": [postOf("/nowhere", keyed, form, length, expect), [404, "end"]],
  "Expect at an unknown path of the API": [postOf("/api/v1/nowhere", keyed, form, length, expect), [404, "end"]],
  "Expect with a method that the path does not take": [
    head(`PATCH ${websites} HTTP/1.1`, "Host: a", keyed, form, length, expect),
    [405, "end"],
  ],
  "Expect with a type that is not read": [createHead("Content-Type: text/plain", length, expect), [415, "end"]],
  "Expect with a charset that is not read": [createHead(`${form}; charset=x`, length, expect), [415, "end"]],
  "Expect with an encoding that is not read": [
    createHead(form, "Content-Encoding: zstd", length, expect),
    [415, "end"],
  ],
  "Expect with a length of 64 KiB and one byte": [createHead(form, "Content-Length: 65537", expect), [413, "end"]],
  "Expect with a length of 1 TB": [createHead(form, "Content-Length: 1000000000000", expect), [413, "end"]],
  "Expect with a host that is not valid": [
    head(`POST ${websites} HTTP/1.1`, "Host: a@b", keyed, form, length, expect),
    [400, "end"],
  ],
  "Expect, and a field that is refused": [`${createHead(form, "Content-Length: 7", expect)}domain=`, [100, 422]],
  "Expect without a body": [get("/healthz", expect), [200, "end"]],
  "Expect in HTTP/1.0": [
    head(`POST ${websites} HTTP/1.0`, "Host: a", keyed, form, length, expect) + body,
    [201, "end"],
  ],
  "another expectation": [createHead(form, length, "Expect: a-pony") + body, [201]],
  "another expectation of a read": [get("/healthz", "Expect: a-pony"), [200]],
  "two expectations": [createHead(form, length, "Expect: 100-continue, a-pony") + body, [100, 201]],
  "an empty expectation": [get("/healthz", "Expect: "), [200]],
};

function postOf(path: string, ...lines: string[]): string {
  return head(`POST ${path} HTTP/1.1`, "Host: example.com", ...lines);
}
