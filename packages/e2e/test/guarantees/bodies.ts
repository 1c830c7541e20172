import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect } from "vitest";
import { type Caller, form, json, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const limitBytes = 64 * 1024;
const accepted = "application/x-www-form-urlencoded, application/json";

/** Headers of bodies that are not read, and a part of the detail that says why. */
const unread: ReadonlyArray<readonly [headers: Readonly<Record<string, string>>, detail: string]> = [
  [{ "Content-Type": "text/plain" }, 'The content type of the body "text/plain" is not supported.'],
  [{ "Content-Type": "multipart/form-data; boundary=x" }, "is not supported"],
  [{ "Content-Type": "application/xml" }, "is not supported"],
  [{ "Content-Type": "application/json-patch+json" }, "is not supported"],
  [{ "Content-Type": "" }, ""],
  [{ "Content-Type": "application/json; charset=latin1" }, 'The charset of the body "latin1" is not supported.'],
  [{ "Content-Type": "application/json; charset=utf-16" }, 'The charset of the body "utf-16" is not supported.'],
  [{ "Content-Type": 'application/x-www-form-urlencoded; charset="iso-8859-1"' }, "is not supported"],
  [{ ...form, "Content-Encoding": "compress" }, ""],
];

export const bodies: Guarantees = {
  "another content type, charset or encoding gets a 415 that lists the types that are read": async (caller) => {
    await caller.createAll(["a.example"]);
    for (const [headers, detail] of unread) {
      for (const [method, path, header] of [
        ["POST", websites, "Accept-Post"],
        ["PUT", `${websites}/1`, "Accept"],
      ] as const) {
        // Bytes, because fetch names a type for a string.
        const body = new TextEncoder().encode("domain=b.example");
        const answer = await caller.call(method, path, { body, headers });
        expect([headers, ...answer.refusal, answer.header(header)]).toEqual([
          ...[headers, 415, "unsupported_media_type"],
          accepted,
        ]);
        expect(answer.problem.detail).toContain(detail);
      }
    }
    expect(await caller.count()).toBe(1);
  },
  "a content type is read in any case, with the charset UTF-8 and a byte order mark": async (caller) => {
    for (const [index, [type, body]] of (
      [
        ["application/x-www-form-urlencoded; charset=UTF-8", "domain=bücher.{n}.example"],
        ['Application/JSON;charset="utf-8"', '{"domain":"bücher.{n}.example"}'],
        ['Application/JSON; Charset="UTF-8"', '{"domain":"bücher.{n}.example"}'],
        ["application/json", '\ufeff{"domain":"bücher.{n}.example"}'],
      ] as const
    ).entries()) {
      const headers = { "Content-Type": type };
      const answer = await caller.call("POST", websites, { body: body.replace("{n}", `a${index}`), headers });
      expect([type, answer.status, answer.website.domain]).toEqual([type, 201, `xn--bcher-kva.a${index}.example`]);
    }
  },
  "JSON that is sent as a form gets a 422 that names the content type to send, and repeats nothing of it": async (
    caller,
  ) => {
    await caller.createAll(["a.example"]);
    for (const body of ['{"domain":"b.example","password":"secret 100%"}', ' [{"password":"secret"}]\n', "{}"]) {
      for (const [method, path] of [
        ["POST", websites],
        ["PUT", `${websites}/1`],
      ] as const) {
        const answer = await caller.call(method, path, { body, headers: form });
        expect(Object.entries(answer.fieldErrors ?? {})).toEqual([
          ["body", [expect.stringContaining("send the header Content-Type: application/json")]],
        ]);
        expect(answer.problem.detail).toMatch(/^Invalid request: body looks like JSON, .*: application\/json\.$/);
        expect(answer.text).not.toContain("secret");
      }
    }
    expect(await caller.count()).toBe(1);
  },
  "a body of 64 KiB is read, and a larger one gets a 413 and creates nothing": async (caller) => {
    for (const length of [limitBytes + 1, 65 * 1024, 20_000_000]) {
      for (const options of [
        { form: "domain=a.example&exclude_ips=".padEnd(length, "\n") },
        { body: '{"domain":"a.example"}'.padEnd(length), headers: json },
      ]) {
        const answer = await caller.call("POST", websites, options);
        expect([length, ...answer.refusal, answer.problem.detail]).toEqual([
          ...[length, 413, "body_too_large"],
          "The body is larger than 65536 bytes. Send a smaller body.",
        ]);
      }
    }
    expect(await caller.count()).toBe(0);
    const longest = '{"domain":"a.example"}'.padEnd(limitBytes);
    expect((await caller.call("POST", websites, { body: longest, headers: json })).status).toBe(201);
    const longestForm = "domain=b.example&exclude_ips=".padEnd(limitBytes, "\n");
    expect((await caller.call("POST", websites, { form: longestForm })).website.domain).toBe("b.example");
  },
  "a body that is sent in parts is read, up to the same limit": async (caller) => {
    const body = new Blob(['{"domain":', '"a.example"}']).stream();
    expect((await caller.call("POST", websites, { body, headers: json })).status).toBe(201);
    const larger = new Blob(["domain=a.example&exclude_ips=".padEnd(65 * 1024, "\n")]).stream();
    const answer = await caller.call("PUT", `${websites}/1`, { body: larger, headers: form });
    expect(answer.refusal).toEqual([413, "body_too_large"]);
  },
};

export const compressedBodies: Guarantees = {
  "a body in gzip, deflate or Brotli is read": async (caller) => {
    for (const [encoding, compress] of [
      ["gzip", gzipSync],
      ["deflate", deflateSync],
      ["br", brotliCompressSync],
    ] as const) {
      const answer = await send(caller, encoding, compress(`domain=${encoding}.example`));
      expect(answer.website.domain).toBe(`${encoding}.example`);
    }
  },
  "the limit applies to a compressed body after decompression": async (caller) => {
    const longest = await send(caller, "gzip", gzipSync("domain=a.example&exclude_ips=".padEnd(limitBytes, "\n")));
    expect(longest.website.domain).toBe("a.example");
    const bomb = gzipSync(Buffer.alloc(30_000_000, "a"));
    expect(bomb.length).toBeLessThan(limitBytes);
    expect((await send(caller, "gzip", bomb)).refusal).toEqual([413, "body_too_large"]);
  },
  "a body whose compression is broken gets a 400": async (caller) => {
    for (const [encoding, body] of [
      ["gzip", Buffer.from("this is not gzip")],
      ["gzip", gzipSync("domain=example.com").subarray(0, 20)],
      ["br", Buffer.from("this is not brotli")],
    ] as const) {
      expect((await send(caller, encoding, body)).refusal).toEqual([400, "malformed_request"]);
    }
    expect(await caller.count()).toBe(0);
  },
};

function send(caller: Caller, encoding: string, body: Uint8Array) {
  return caller.call("POST", websites, {
    body: new Uint8Array(body),
    headers: { ...form, "Content-Encoding": encoding },
  });
}
