import { chunked, createHead, form, get, type RawCases } from "../raw-case.ts";

const refused = [400, "end"] as const;
const last = "0\r\n\r\n";
const body = "f\r\ndomain={domain}\r\n";

/** Chunked bodies. */
export const chunks: RawCases = {
  "a chunk without a size": [withChunks(`\r\nx\r\n${last}`), refused],
  "a size that is no number": [withChunks(`zz\r\nx\r\n${last}`), refused],
  "a negative size": [withChunks(`-1\r\nx\r\n${last}`), refused],
  "a size with a sign": [withChunks(`+f\r\ndomain={domain}\r\n${last}`), refused],
  "a size in C's hexadecimal": [withChunks(`0xf\r\ndomain={domain}\r\n${last}`), refused],
  "a size in capitals": [withChunks(`F\r\ndomain={domain}\r\n${last}`), [201]],
  "a size with leading zeros": [withChunks(`000f\r\ndomain={domain}\r\n${last}`), [201]],
  "a size after a space": [withChunks(` f\r\ndomain={domain}\r\n${last}`), refused],
  "a size before a space": [withChunks(`f \r\ndomain={domain}\r\n${last}`), refused],
  "a size over 2^64": [withChunks("10000000000000000\r\nx"), refused],
  "a size of 2^64 minus one": [withChunks("ffffffffffffffff\r\nx"), ["waits"]],
  "a size of 2^62": [withChunks("4000000000000000\r\nx"), ["waits"]],
  "a size of 64 KiB and one byte that does not come": [withChunks("10001\r\nx"), ["waits"]],
  "a chunk that is too long": [withChunks(`e\r\ndomain={domain}\r\n${last}`), refused],
  "a chunk that is too short": [withChunks(`10\r\ndomain={domain}\r\n${last}`), refused],
  "a size that ends with a bare line feed": [withChunks(`f\ndomain={domain}\r\n${last}`), refused],
  "a chunk that ends with a bare line feed": [withChunks(`f\r\ndomain={domain}\n${last}`), refused],
  "a chunk that ends with a bare carriage return": [withChunks(`f\r\ndomain={domain}\r${last}`), refused],
  "an end with a bare line feed": [withChunks(`${body}0\n\n`), refused],
  "no last chunk": [withChunks(body), ["waits"]],
  "half of a last chunk": [withChunks(`${body}0\r\n`), ["waits"]],
  "an extension": [withChunks(`f;a=b\r\ndomain={domain}\r\n${last}`), [201]],
  "an extension in quotes": [withChunks(`f;a="b c"\r\ndomain={domain}\r\n${last}`), [201]],
  "an extension with a bare line feed": [withChunks(`f;a\nb\r\ndomain={domain}\r\n${last}`), refused],
  "an extension with a bare carriage return": [withChunks(`f;a\rb\r\ndomain={domain}\r\n${last}`), refused],
  "an extension with a NUL": [withChunks(`f;a\0b\r\ndomain={domain}\r\n${last}`), refused],
  "an extension of 17 KiB": [withChunks(`f;${"a".repeat(17 * 1024)}\r\ndomain={domain}\r\n${last}`), refused],
  "extensions of 17 KiB in all, none of them long": [
    withChunks(Array.from({ length: 60 }, () => `1;${"a".repeat(300)}\r\na\r\n`).join("") + last),
    [422],
  ],
  "an extension of the last chunk": [withChunks(`${body}0;a=b\r\n\r\n`), [201]],
  "a trailer": [withChunks(`${body}0\r\nX: 1\r\n\r\n`), [201]],
  "a trailer that is a key": [withChunks(`${body}0\r\nAuthorization: Bearer x\r\n\r\n`), [201]],
  "a trailer that is a length": [withChunks(`${body}0\r\nContent-Length: 5\r\n\r\n`), refused],
  "a trailer that is a transfer encoding": [withChunks(`${body}0\r\nTransfer-Encoding: chunked\r\n\r\n`), refused],
  "a trailer of 17 KiB": [withChunks(`${body}0\r\nX: ${"x".repeat(17 * 1024)}\r\n\r\n`), refused],
  "a trailer with a bare line feed": [withChunks(`${body}0\r\nX: 1\nY: 2\r\n\r\n`), refused],
  "a trailer without a colon": [withChunks(`${body}0\r\nX\r\n\r\n`), refused],
  "a request after the last chunk": [withChunks(`${body}${last}${get("/healthz")}`), [201, 200]],
  "a request after an early last chunk": [withChunks(`${last}${get("/healthz")}${last}`), [422, 200, "end"]],
  "64 KiB in chunks": [withChunks(chunked("domain={domain}&exclude_ips=", "\n".repeat(64 * 1024 - 28))), [201]],
  "64 KiB and one byte in chunks": [withChunks(chunked("a".repeat(64 * 1024), "a")), [413, "end"]],
  "chunks of 1 MiB in total": [withChunks(`8000\r\n${"a".repeat(0x8000)}\r\n`.repeat(32)), [413, "end"]],
  "one chunk of which 1 MiB is sent": [withChunks(`7fffffff\r\n${"a".repeat(1024 * 1024)}`), [413, "end"]],
  "70,000 chunks of one byte": [withChunks("1\r\na\r\n".repeat(70_000)), [413, "end"]],
};

function withChunks(text: string): string {
  return createHead(form, "Transfer-Encoding: chunked") + text;
}
