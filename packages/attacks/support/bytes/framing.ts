import {
  chunked,
  createHead,
  expecting,
  form,
  get,
  head,
  host,
  keyed,
  type RawRequests,
  refused,
  websites,
} from "./raw-requests.ts";

const body = "domain={domain}";
const chunks = "Transfer-Encoding: chunked";
const last = "0\r\n\r\n";
const chunk = `f\r\n${body}\r\n`;

/** How the end of a body is marked: by lengths, chunks, or both. */
export const lengths: readonly RawRequests[] = [
  expecting([201], ["15", "00015"], withLength),
  expecting([201, "end"], ["13", "14"], withLength),
  expecting(["waits"], ["16"], withLength),
  expecting(
    refused,
    [
      ...["-1", "+15", "0xf", "15.0", "1e1", "1 5", "", "all", "15, 15", "15\r\nContent-Length: 15"],
      ...["15\r\nContent-Length: 16", "18446744073709551616", `15\r\n${chunks}`, `0\r\n${chunks}`],
    ],
    withLength,
  ),
  expecting([413, "end"], ["9223372036854775808", "9007199254740993", "65537"], (length) =>
    createHead(form, `Content-Length: ${length}`),
  ),
  expecting(
    [413, "end"],
    [
      head(`PUT ${websites}/1 HTTP/1.1`, host, keyed, form, "Content-Length: 65537"),
      createHead(form, "Content-Length: 65537") + "a".repeat(65_537),
    ],
  ),
  expecting([401, "waits"], ["65537", "5"], (length) =>
    head(`POST ${websites} HTTP/1.1`, host, form, `Content-Length: ${length}`),
  ),
  expecting([422], [createHead(form), createHead(form, "Content-Length: 0"), createHead(form, chunks) + chunked()]),
  expecting(
    [422, "end"],
    [
      createHead(form) + body,
      // The next request begins within the body.
      `${createHead(form, "Content-Length: 64") + body}&x=${get("/healthz", "X-Padding-Of-Headers: 12")}`.slice(0, -1),
    ],
  ),
  expecting(refused, [
    createHead(form, chunks, "Content-Length: 15") + chunked(body),
    `${createHead(form, "Content-Length: 4", chunks)}${last}${get(websites, keyed)}`,
    createHead(form, "Transfer-Encoding: identity", "Content-Length: 15") + body,
  ]),
  expecting([201], ["chunked", "CHUNKED", "identity, chunked", "gzip, chunked"], withEncoding),
  expecting(
    refused,
    [
      ...["chunked, chunked", "chunked\r\nTransfer-Encoding: identity", `chunked\r\n${chunks}`, "chunked, identity"],
      ...["xchunked", '"chunked"', "chunked;q=1", "\x0bchunked", "\r\n chunked", ""],
    ],
    withEncoding,
  ),
  expecting(refused, [createHead(form, "Transfer-Encoding : chunked") + chunked(body)]),
  expecting([201, "end"], [head(`POST ${websites} HTTP/1.0`, host, keyed, form, chunks) + chunked(body)]),
];

/** Chunked bodies. */
export const chunkedBodies: readonly RawRequests[] = [
  expecting(
    refused,
    [
      ...["\r\nx\r\n", "zz\r\nx\r\n", "-1\r\nx\r\n", `+${chunk}`, `0x${chunk}`, ` ${chunk}`, `f \r\n${body}\r\n`],
      ...["10000000000000000\r\nx", `e\r\n${body}\r\n`, `10\r\n${body}\r\n`, `f\n${body}\r\n`, `f\r\n${body}\n`],
      ...[`f\r\n${body}\r`, `f;a\nb\r\n${body}\r\n`, `f;a\rb\r\n${body}\r\n`, `f;a\0b\r\n${body}\r\n`],
      `f;${"a".repeat(17 * 1024)}\r\n${body}\r\n`,
    ],
    (text) => withChunks(text + last),
  ),
  expecting(
    refused,
    [
      ...["0\n\n", "0\r\nContent-Length: 5\r\n\r\n", `0\r\n${chunks}\r\n\r\n`, "0\r\nX: 1\nY: 2\r\n\r\n"],
      ...["0\r\nX\r\n\r\n", `0\r\nX: ${"x".repeat(17 * 1024)}\r\n\r\n`],
    ],
    (end) => withChunks(chunk + end),
  ),
  expecting([201], ["0;a=b\r\n\r\n", "0\r\nX: 1\r\n\r\n", "0\r\nAuthorization: Bearer x\r\n\r\n"], (end) =>
    withChunks(chunk + end),
  ),
  expecting(
    [201],
    [
      ...[chunked("domain=", "{domain}"), chunked(..."domain=", "{domain}"), `F\r\n${body}\r\n${last}`],
      ...[`000${chunk}${last}`, `f;a=b\r\n${body}\r\n${last}`, `f;a="b c"\r\n${body}\r\n${last}`],
      chunked("domain={domain}&exclude_ips=", "\n".repeat(64 * 1024 - 28)),
    ],
    withChunks,
  ),
  expecting(
    ["waits"],
    [...["ffffffffffffffff\r\nx", "4000000000000000\r\nx", "10001\r\nx", chunk, `${chunk}0\r\n`]],
    withChunks,
  ),
  // Extensions of 17 KiB in all, none of them long.
  expecting([422], [`1;${"a".repeat(300)}\r\na\r\n`.repeat(60) + last], withChunks),
  expecting([201, 200], [chunk + last + get("/healthz")], withChunks),
  expecting([422, 200, "end"], [last + get("/healthz") + last], withChunks),
  expecting(
    [413, "end"],
    [
      ...[chunked("a".repeat(64 * 1024), "a"), `8000\r\n${"a".repeat(0x8000)}\r\n`.repeat(32)],
      ...[`7fffffff\r\n${"a".repeat(1024 * 1024)}`, "1\r\na\r\n".repeat(70_000)],
    ],
    withChunks,
  ),
];

function withLength(length: string): string {
  return createHead(form, `Content-Length: ${length}`) + body;
}

function withEncoding(encoding: string): string {
  return createHead(form, `Transfer-Encoding: ${encoding}`) + chunked(body);
}

function withChunks(text: string): string {
  return createHead(form, chunks) + text;
}
