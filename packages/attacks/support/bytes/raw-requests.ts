/**
 * The statuses in order, including interim answers such as 100. Then `end` if the server ends the connection, or `waits` if it
 * waits for the rest of a request. Without either, the connection must serve one more request.
 */
export type Expected = readonly (number | "end" | "waits")[];

/**
 * Requests that get the same answers.
 *
 * In the bytes, one character is one byte. `{key}` is replaced by an API key, and `{domain}` by a domain of the same length that
 * no other request uses.
 */
export interface RawRequests {
  readonly expected: Expected;
  readonly bytes: readonly string[];
}

/** Lists requests with what must come back, and how each text becomes the bytes of one. */
export function expecting(
  expected: Expected,
  texts: readonly string[],
  toBytes: (text: string) => string = (text) => text,
): RawRequests {
  return { expected, bytes: texts.map(toBytes) };
}

export const refused: Expected = [400, "end"];
export const host = "Host: example.com";
export const keyed = "Authorization: Bearer {key}";
export const form = "Content-Type: application/x-www-form-urlencoded";
export const json = "Content-Type: application/json";
export const websites = "/api/v1/websites";

/** Builds a GET with a host and without a body. */
export function get(path: string, ...headers: string[]): string {
  return head(`GET ${path} HTTP/1.1`, host, ...headers);
}

/** Builds the head of a create with a valid key. */
export function createHead(...headers: string[]): string {
  return head(`POST ${websites} HTTP/1.1`, host, keyed, ...headers);
}

/** Builds a create with a valid key and the length of its body. */
export function create(type: string, body: string, ...headers: string[]): string {
  return createHead(type, `Content-Length: ${body.length}`, ...headers) + body;
}

/** Builds an update with a valid key and the length of its body. */
export function update(path: string, type: string, body: string): string {
  return head(`PUT ${path} HTTP/1.1`, host, keyed, type, `Content-Length: ${body.length}`) + body;
}

/** Joins lines with CRLF and adds the empty line that ends a head. */
export function head(...lines: string[]): string {
  return [...lines, "", ""].join("\r\n");
}

/** Builds a chunked body. Each piece is one chunk. */
export function chunked(...pieces: string[]): string {
  return [...pieces, ""].map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("");
}

/** Turns bytes into a string with one character per byte. */
export function bytesOf(content: Uint8Array | string): string {
  return Buffer.from(content).toString("latin1");
}
