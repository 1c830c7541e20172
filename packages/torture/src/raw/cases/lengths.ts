import { chunked, create, createHead, form, get, head, keyed, type RawCases, websites } from "../raw-case.ts";

const refused = [400, "end"] as const;
const body = "domain={domain}";
const chunks = "Transfer-Encoding: chunked";

/** How the end of a body is marked: by lengths, chunks, or both. */
export const lengths: RawCases = {
  "the right length": [create(form, body), [201]],
  "a length of zero": [createHead(form, "Content-Length: 0"), [422]],
  "no length and no body": [createHead(form), [422]],
  "a length with leading zeros": [createHead(form, `Content-Length: 000${body.length}`) + body, [201]],
  "a negative length": [createHead(form, "Content-Length: -1"), refused],
  "a length with a sign": [createHead(form, "Content-Length: +15") + body, refused],
  "a length in hexadecimal": [createHead(form, "Content-Length: 0xf") + body, refused],
  "a length with a fraction": [createHead(form, "Content-Length: 15.0") + body, refused],
  "a length with an exponent": [createHead(form, "Content-Length: 1e1") + body, refused],
  "a length with a space in it": [createHead(form, "Content-Length: 1 5") + body, refused],
  "an empty length": [createHead(form, "Content-Length: "), refused],
  "a length that is a word": [createHead(form, "Content-Length: all"), refused],
  "two lengths in one header": [createHead(form, "Content-Length: 15, 15") + body, refused],
  "two equal lengths": [createHead(form, "Content-Length: 15", "Content-Length: 15") + body, refused],
  "two lengths": [createHead(form, "Content-Length: 15", "Content-Length: 16") + body, refused],
  "a length over 2^64": [createHead(form, "Content-Length: 18446744073709551616"), refused],
  "a length of 2^63": [createHead(form, "Content-Length: 9223372036854775808"), [413, "end"]],
  "a length of 2^53": [createHead(form, "Content-Length: 9007199254740993"), [413, "end"]],
  "a length of 64 KiB and one byte": [createHead(form, "Content-Length: 65537"), [413, "end"]],
  "a length of 64 KiB and one byte, of an update": [
    head(`PUT ${websites}/1 HTTP/1.1`, "Host: a", keyed, form, "Content-Length: 65537"),
    [413, "end"],
  ],
  "a length of 64 KiB and one byte, with the body": [
    createHead(form, "Content-Length: 65537") + "a".repeat(65_537),
    [413, "end"],
  ],
  "a length of 64 KiB and one byte, without a key": [keyless("Content-Length: 65537"), [401, "waits"]],
  "a length that is too small by two": [createHead(form, "Content-Length: 13") + body, [201, "end"]],
  "a length that is too small by one": [createHead(form, "Content-Length: 14") + body, [201, "end"]],
  "a length that is too large by one": [createHead(form, "Content-Length: 16") + body, ["waits"]],
  "a length that takes in the next request": [
    `${createHead(form, "Content-Length: 64") + body}&x=${get("/healthz", "X-Padding-Of-Headers: 12")}`.slice(0, -1),
    [422, "end"],
  ],
  "a length without a body, without a key": [keyless("Content-Length: 5"), [401, "waits"]],
  "a body that is not announced": [createHead(form) + body, [422, "end"]],
  chunks: [createHead(form, chunks) + chunked("domain=", "{domain}"), [201]],
  "chunks of one byte each": [createHead(form, chunks) + chunked(..."domain=", "{domain}"), [201]],
  "no chunk but the last": [createHead(form, chunks) + chunked(), [422]],
  "chunks and a length": [createHead(form, chunks, "Content-Length: 15") + chunked(body), refused],
  "a length and chunks": [createHead(form, "Content-Length: 15", chunks) + chunked(body), refused],
  "a length of zero and chunks": [createHead(form, "Content-Length: 0", chunks) + chunked(body), refused],
  "a length, chunks, and a request in the body": [
    `${createHead(form, "Content-Length: 4", chunks)}0\r\n\r\n${get(websites, keyed)}`,
    refused,
  ],
  "chunked in capitals": [createHead(form, "Transfer-Encoding: CHUNKED") + chunked(body), [201]],
  "chunked twice": [createHead(form, "Transfer-Encoding: chunked, chunked") + chunked(body), refused],
  "two transfer encodings": [createHead(form, chunks, "Transfer-Encoding: identity") + chunked(body), refused],
  "chunked in two headers": [createHead(form, chunks, chunks) + chunked(body), refused],
  "chunked, then another": [createHead(form, "Transfer-Encoding: chunked, identity") + chunked(body), refused],
  "identity, then chunked": [createHead(form, "Transfer-Encoding: identity, chunked") + chunked(body), [201]],
  "gzip, then chunked": [createHead(form, "Transfer-Encoding: gzip, chunked") + chunked(body), [201]],
  identity: [createHead(form, "Transfer-Encoding: identity", "Content-Length: 15") + body, refused],
  "an unknown transfer encoding": [createHead(form, "Transfer-Encoding: xchunked") + chunked(body), refused],
  "chunked in quotes": [createHead(form, 'Transfer-Encoding: "chunked"') + chunked(body), refused],
  "chunked with a parameter": [createHead(form, "Transfer-Encoding: chunked;q=1") + chunked(body), refused],
  "chunked after a vertical tab": [createHead(form, "Transfer-Encoding: \x0bchunked") + chunked(body), refused],
  "chunked with a space before the colon": [createHead(form, "Transfer-Encoding : chunked") + chunked(body), refused],
  "chunked in the next line": [createHead(form, "Transfer-Encoding:", " chunked") + chunked(body), refused],
  "an empty transfer encoding": [createHead(form, "Transfer-Encoding: ") + chunked(body), refused],
  "chunks in HTTP/1.0": [
    head(`POST ${websites} HTTP/1.0`, "Host: a", keyed, form, chunks) + chunked(body),
    [201, "end"],
  ],
};

/** Builds the head of a create without a key. */
function keyless(...lines: string[]): string {
  return head(`POST ${websites} HTTP/1.1`, "Host: example.com", form, ...lines);
}
