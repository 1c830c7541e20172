import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { bytesOf, create, createHead, form, json, type RawCases } from "../raw-case.ts";

/** Bodies: their type, charset, content encoding and fields. The guarantees send further ones. */
export const bodies: RawCases = {
  "a form": [create(form, "domain={domain}"), [201]],
  JSON: [create(json, '{"domain":"{domain}"}'), [201]],
  "no content type": [create("X: 1", "domain={domain}"), [415]],
  "an empty content type": [create("Content-Type: ", "domain={domain}"), [415]],
  "a type with an extra letter": [create("Content-Type: application/jsonx", "{}"), [415]],
  "a type in a list": [create("Content-Type: application/json, text/html", "{}"), [415]],
  "a type with a strange parameter": [create(`${json}; __proto__=1; =;;`, '{"domain":"{domain}"}'), [201]],
  "a type of 10,000 parameters": [create(`${json}${";a".repeat(5_000)}`, '{"domain":"{domain}"}'), [201]],
  "the charset utf-7": [create(`${json}; charset=utf-7`, "{}"), [415]],
  "the charset __proto__": [create(`${json}; charset=__proto__`, "{}"), [415]],
  "two charsets": [create(`${json}; charset=utf-16; charset=utf-8`, "{}"), [415]],
  "bytes that are not UTF-8": [create(json, '{"domain":"\xff"}'), [400]],
  "UTF-8 that is too long": [create(json, '{"domain":"\xc0\xaf"}'), [400]],
  "half of a surrogate pair in UTF-8": [create(json, '{"domain":"\xed\xa0\x80"}'), [400]],
  "half of a surrogate pair as an escape": [create(json, '{"domain":"\\ud800.example"}'), [422]],
  "UTF-16": [create(json, bytesOf(Buffer.from('\ufeff{"domain":"a"}', "utf16le"))), [400]],
  "a NUL in a domain": [create(json, '{"domain":"a\\u0000b.example"}'), [422]],
  "a NUL in a form": [create(form, "domain=a%00b.example"), [422]],
  "a raw NUL in a form": [create(form, "domain=a\0b.example"), [422]],
  "a raw NUL in JSON": [create(json, '{"domain":"a\0b.example"}'), [400]],
  "JSON with a comment": [create(json, '{/**/"domain":"a.example"}'), [400]],
  "JSON with single quotes": [create(json, "{'domain':'a.example'}"), [400]],
  "a number that is too large": [create(json, '{"domain":"a.example","privacy":1e999}'), [422]],
  "a number with a fraction": [create(json, '{"domain":"a.example","privacy":0.5}'), [422]],
  "an array of records": [create(json, '[{"domain":"a.example"}]'), [422]],
  "a field in other letters": [create(json, '{"Domain":"a.example"}'), [422]],
  "__proto__ further in": [create(json, '{"domain":"a.example","x":{"__proto__":{"privacy":1}}}'), [400]],
  "the fields of every object": [create(json, '{"domain":"{domain}","toString":1,"hasOwnProperty":1}'), [422]],
  // They are counted before anything is parsed.
  "60,000 arrays that do not end": [create(json, "[".repeat(60_000)), [422]],
  "10,000 nested objects in a field": [
    create(json, `{"domain":${'{"a":'.repeat(10_000)}0${"}".repeat(10_000)}}`),
    [422],
  ],
  "brackets in a form": [create(form, `domain={domain}&a${"[a]".repeat(10_000)}=1`), [422]],
  "30,000 ampersands": [create(form, `${"&".repeat(30_000)}domain={domain}`), [201]],
  "a body of 64 KiB": [create(form, "domain={domain}&exclude_ips=".padEnd(64 * 1024, "\n")), [201]],
  ...encodedBodies(),
};

function encodedBodies(): RawCases {
  const text = (name: string) => Buffer.from(`domain=${name}.example`);
  const zeros = Buffer.alloc(5_000_000, "a");
  return {
    gzip: [encoded("gzip", gzipSync(text("gzip"))), [201]],
    "x-gzip": [encoded("x-gzip", gzipSync(text("x-gzip"))), [415]],
    "gzip in capitals": [encoded("GZIP", gzipSync(text("gzip-capitals"))), [201]],
    "deflate without its frame": [encoded("deflate", deflateRawSync(text("raw"))), [400]],
    identity: [encoded("identity", text("identity")), [201]],
    "zstd, which is not read": [encoded("zstd", text("x")), [415]],
    "the encoding __proto__": [encoded("__proto__", text("x")), [415]],
    "the encoding toString": [encoded("toString", text("x")), [415]],
    "two encodings": [encoded("gzip, gzip", gzipSync(gzipSync(text("x")))), [415]],
    "two encodings in two headers": [
      create(form, bytesOf(gzipSync(text("x"))), "Content-Encoding: gzip", "Content-Encoding: br"),
      [415],
    ],
    "gzip with a broken sum": [
      encoded("gzip", Buffer.concat([gzipSync(text("x")).subarray(0, -8), Buffer.alloc(8)])),
      [400],
    ],
    "an empty gzip body": [createHead(form, "Content-Encoding: gzip", "Content-Length: 0"), [422]],
    "a gzip bomb of 5 MB": [encoded("gzip", gzipSync(zeros)), [413, "end"]],
    "a deflate bomb of 5 MB": [encoded("deflate", deflateSync(zeros)), [413, "end"]],
    "a br bomb of 5 MB": [encoded("br", brotliCompressSync(zeros)), [413, "end"]],
    "a gzip bomb in a gzip bomb": [encoded("gzip", gzipSync(gzipSync(zeros))), [400]],
    "64 KiB in gzip": [
      encoded("gzip", gzipSync("domain=whole-gzip.example&exclude_ips=".padEnd(64 * 1024, "\n"))),
      [201],
    ],
    "64 KiB and one byte in gzip": [encoded("gzip", gzipSync("a".repeat(64 * 1024 + 1))), [413, "end"]],
  };
}

function encoded(encoding: string, content: Uint8Array): string {
  return create(form, bytesOf(content), `Content-Encoding: ${encoding}`);
}
