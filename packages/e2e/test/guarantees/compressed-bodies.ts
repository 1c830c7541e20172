import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const limitBytes = 64 * 1024;

export const compressedBodies: Guarantees = {
  "a body in gzip, deflate or Brotli is read": async (service) => {
    const caller = new Caller(service);
    for (const [encoding, compress] of [
      ["gzip", gzipSync],
      ["deflate", deflateSync],
      ["br", brotliCompressSync],
    ] as const) {
      const answer = await send(caller, encoding, compress(`domain=${encoding}.example`));
      expect(answer.website.domain).toBe(`${encoding}.example`);
    }
  },
  "the limit applies to a compressed body after decompression": async (service) => {
    const caller = new Caller(service);
    const longest = await send(caller, "gzip", gzipSync("domain=a.example&exclude_ips=".padEnd(limitBytes, "\n")));
    expect(longest.website.domain).toBe("a.example");
    const bomb = gzipSync(Buffer.alloc(30_000_000, "a"));
    expect(bomb.length).toBeLessThan(limitBytes);
    expect((await send(caller, "gzip", bomb)).refusal).toEqual([413, "body_too_large"]);
  },
  "a body whose compression is broken gets a 400": async (service) => {
    const caller = new Caller(service);
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
    headers: { "Content-Type": "application/x-www-form-urlencoded", "Content-Encoding": encoding },
  });
}
