import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import {
  bytesOf,
  create,
  createHead,
  expecting,
  form,
  json,
  type RawRequests,
  update,
  websites,
} from "./raw-requests.ts";

const valid = '{"domain":"{domain}"}';
const text = Buffer.from("email=1");
const gzipped = gzipSync(text);
const zeros = Buffer.alloc(5_000_000, "a");

/** Bodies: their type, charset, content encoding and fields. The guarantees send further ones. */
export const bodies: readonly RawRequests[] = [
  expecting([201], [create(form, "domain={domain}")]),
  expecting([201], ["", "; __proto__=1; =;;", ";a".repeat(5_000)], (parameters) => create(json + parameters, valid)),
  expecting(
    [415],
    [
      ...["X: 1", "Content-Type: ", `${json}x`, `${json}, text/html`, `${json}; charset=utf-7`],
      ...[`${json}; charset=__proto__`, `${json}; charset=utf-16; charset=utf-8`],
    ],
    (type) => create(type, "{}"),
  ),
  // Bytes that are no UTF-8, and text that is no JSON.
  expecting(
    [400],
    [
      ...['{"domain":"\xff"}', '{"domain":"\xc0\xaf"}', '{"domain":"\xed\xa0\x80"}', '{"domain":"a\0b.example"}'],
      ...[bytesOf(Buffer.from('\ufeff{"domain":"a"}', "utf16le")), '{/**/"domain":"a.example"}'],
      ...["{'domain':'a.example'}", '{"domain":"a.example","x":{"__proto__":{"privacy":1}}}'],
    ],
    (body) => create(json, body),
  ),
  expecting(
    [422],
    [
      ...['{"domain":"\\ud800.example"}', '{"domain":"a\\u0000b.example"}', '{"domain":"a.example","privacy":1e999}'],
      ...['{"domain":"a.example","privacy":0.5}', '[{"domain":"a.example"}]', '{"Domain":"a.example"}'],
      ...['{"domain":"{domain}","toString":1,"hasOwnProperty":1}', "[".repeat(60_000)],
      `{"domain":${'{"a":'.repeat(10_000)}0${"}".repeat(10_000)}}`,
    ],
    (body) => create(json, body),
  ),
  expecting(
    [422],
    ["domain=a%00b.example", "domain=a\0b.example", `domain={domain}&a${"[a]".repeat(10_000)}=1`],
    (body) => create(form, body),
  ),
  expecting(
    [201],
    [`${"&".repeat(30_000)}domain={domain}`, "domain={domain}&exclude_ips=".padEnd(64 * 1024, "\n")],
    (body) => create(form, body),
  ),
  expecting([200], [encoded("GZIP", gzipped), encoded("identity", text)]),
  expecting([415], ["x-gzip", "zstd", "__proto__", "toString", "gzip, gzip"], (encoding) => encoded(encoding, gzipped)),
  expecting([415], [encoded("gzip\r\nContent-Encoding: br", gzipped)]),
  expecting(
    [400],
    [
      encoded("deflate", deflateRawSync(text)),
      encoded("gzip", Buffer.concat([gzipped.subarray(0, -8), Buffer.alloc(8)])),
      encoded("gzip", gzipSync(gzipSync(zeros))),
    ],
  ),
  expecting([422], [createHead(form, "Content-Encoding: gzip", "Content-Length: 0")]),
  expecting(
    [413, "end"],
    [
      encoded("gzip", gzipSync(zeros)),
      encoded("deflate", deflateSync(zeros)),
      encoded("br", brotliCompressSync(zeros)),
      encoded("gzip", gzipSync("a".repeat(64 * 1024 + 1))),
    ],
  ),
];

/** An update, which may be sent twice. */
function encoded(encoding: string, content: Uint8Array): string {
  return update(`${websites}/1`, `${form}\r\nContent-Encoding: ${encoding}`, bytesOf(content));
}
