import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };
const accepted = "application/x-www-form-urlencoded, application/json";

export const bodies: Guarantees = {
  "another content type gets a 415 that lists those that are read": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example"]);
    for (const [type, detail] of [
      ["text/plain", 'The content type of the body "text/plain" is not supported.'],
      ["application/json; charset=latin1", 'The charset of the body "latin1" is not supported.'],
    ] as const) {
      for (const [method, path, header] of [
        ["POST", websites, "Accept-Post"],
        ["PUT", `${websites}/1`, "Accept"],
      ] as const) {
        const answer = await caller.call(method, path, { body: "{}", headers: { "Content-Type": type } });
        expect([...answer.refusal, answer.header(header)]).toEqual([415, "unsupported_media_type", accepted]);
        expect(answer.problem.detail).toContain(detail);
      }
    }
  },
  "a content type is read in any case, with the charset UTF-8": async (service) => {
    const caller = new Caller(service);
    const headers = { "Content-Type": 'Application/JSON; Charset="UTF-8"' };
    const answer = await caller.call("POST", websites, { body: '{"domain":"bücher.example"}', headers });
    expect([answer.status, answer.website.domain]).toEqual([201, "xn--bcher-kva.example"]);
  },
  "a body that is sent in parts is read": async (service) => {
    const body = new Blob(['{"domain":', '"a.example"}']).stream();
    expect((await new Caller(service).call("POST", websites, { body, headers: json })).status).toBe(201);
  },
  "a body that is not JSON gets a 400 that does not repeat it": async (service) => {
    const caller = new Caller(service);
    for (const body of ["{", '{"password":"correct horse"', "{}{}", "NaN", "\ufeff {}x"]) {
      const answer = await caller.call("POST", websites, { body, headers: json });
      expect([...answer.refusal, answer.problem.detail]).toEqual([
        ...[400, "malformed_request"],
        "The body could not be read: it is not valid JSON.",
      ]);
    }
  },
  "a body that is not UTF-8, or whose percent-encoding is broken, gets a 400": async (service) => {
    const caller = new Caller(service);
    const bytes = new Uint8Array([0x7b, 0xff, 0x7d]);
    const notUtf8 = await caller.call("POST", websites, { body: bytes, headers: json });
    expect([...notUtf8.refusal, notUtf8.problem.detail]).toEqual([
      ...[400, "malformed_request", "The body could not be read: it is not UTF-8."],
    ]);
    for (const body of ["domain=%", "domain=%c3%28"]) {
      const answer = await caller.call("POST", websites, { body, headers: form });
      expect(answer.refusal).toEqual([400, "malformed_request"]);
      expect(answer.problem.detail).toContain("its percent-encoding is invalid or does not decode to UTF-8");
    }
  },
  "a field that JSON contains twice gets a 400": async (service) => {
    const body = '{"domain":"a.example","domain":"b.example"}';
    const answer = await new Caller(service).call("POST", websites, { body, headers: json });
    expect([...answer.refusal, answer.problem.detail]).toEqual([
      ...[400, "malformed_request", "The body could not be read: it contains a field twice. Send each field once."],
    ]);
  },
  "a field that a form contains twice is refused by its name": async (service) => {
    const answer = await new Caller(service).call("POST", websites, { form: "domain=a.example&domain=b.example" });
    expect(answer.fieldErrors).toEqual({
      domain: ['was sent more than once or as an array; send it once, as a host name such as "example.com"'],
    });
  },
  "a name that reaches for a prototype is refused, and changes nothing": async (service) => {
    const caller = new Caller(service);
    for (const body of ['{"__proto__":{"email":1},"domain":"a.example"}', '{"constructor":{"prototype":{}}}']) {
      const answer = await caller.call("POST", websites, { body, headers: json });
      expect(answer.refusal).toEqual([400, "malformed_request"]);
    }
    const answer = await caller.call("POST", websites, { form: "__proto__=1&domain=a.example" });
    expect(answer.refusal).toEqual([422, "validation_failed"]);
    // A record omits a member of this name, so it is read from the text.
    expect(Object.keys(JSON.parse(answer.text).errors)).toEqual(["__proto__"]);
  },
  "a body that is no object is refused, and one without content has no fields": async (service) => {
    const caller = new Caller(service);
    for (const body of ["[]", "null", "1", '"domain"']) {
      const answer = await caller.call("POST", websites, { body, headers: json });
      expect(answer.fieldErrors).toEqual({ body: ["must be a JSON object"] });
    }
    for (const options of [{}, { body: "", headers: json }, { body: "", headers: { "Content-Type": "text/plain" } }]) {
      const answer = await caller.call("POST", websites, options);
      expect(Object.keys(answer.fieldErrors ?? {})).toEqual(["domain"]);
    }
  },
  "a body of 64 KiB is read, and a larger one gets a 413": async (service) => {
    const caller = new Caller(service);
    const body = '{"domain":"a.example"}'.padEnd(64 * 1024);
    expect((await caller.call("POST", websites, { body, headers: json })).status).toBe(201);
    const answer = await caller.call("POST", websites, { body: `${body} `, headers: json });
    expect([...answer.refusal, answer.problem.detail]).toEqual([
      ...[413, "body_too_large", "The body is larger than 65536 bytes. Send a smaller body."],
    ]);
  },
  "more than 1,000 fields are refused at once": async (service) => {
    const caller = new Caller(service);
    const names = Array.from({ length: 1001 }, (_, index) => `f${index}`);
    const body = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
    for (const options of [{ form: names.join("&") }, { body, headers: json }]) {
      const answer = await caller.call("POST", websites, options);
      expect(answer.fieldErrors).toEqual({
        body: ["has more than 1000 fields; send only fields that this operation accepts"],
      });
    }
  },
};
