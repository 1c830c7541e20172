import type { Response } from "express";
import { exchangeOf } from "../admission/exchange.ts";

/** What a response says. Without content, it is only a head. */
export interface Answer {
  readonly status: number;
  readonly content?: Content;
}

/** The content of a response, and its media type. Bytes are those of a page, which all responses share. */
interface Content {
  readonly type: string;
  readonly body: string | Uint8Array;
}

/** Sends a response. Every request that reaches the application is answered here, or in `error-handler.ts`. */
export function send(response: Response, answer: Answer): void {
  const body = writeHead(response, answer);
  if (body === undefined) response.end();
  else response.end(body, bodyEncoding);
}

/** Sends a value as JSON. */
export function sendJson(response: Response, status: number, value: unknown): void {
  send(response, { status, content: { type: "application/json; charset=utf-8", body: JSON.stringify(value) } });
}

/** The encoding of a body that is a string. */
export const bodyEncoding = "latin1";

/**
 * Writes the head of a response.
 *
 * @returns the body that must be sent after it, or undefined if there is none
 */
export function writeHead(response: Response, { status, content }: Answer): string | Uint8Array | undefined {
  response.statusCode = status;
  const exchange = exchangeOf(response.req);
  const { headers } = exchange;
  if (content !== undefined && status === 200 && response.req.headers["if-none-match"] === "*") {
    // A read of the API is judged by its entity tag before it gets here (`checkConditions` of the service). Other pages have none, and
    // only this condition is about them: "unless there is any" (RFC 9110, section 13.1.2).
    response.writeHead(304, headers);
    return undefined;
  }
  if (content === undefined) {
    response.writeHead(status, headers);
    return undefined;
  }
  const { type, body } = content;
  const lengthBytes = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  if (typeof body !== "string") exchange.sharedBytes = lengthBytes;
  headers.push("Content-Type", type, "Content-Length", String(lengthBytes));
  response.writeHead(status, headers);
  // A string of ASCII, as almost every body is, has the same bytes in Latin-1. Node writes it together with the head, and up
  // to 16 KiB of them without an allocation. To write a string in UTF-8, it reserves three times its length.
  return lengthBytes === body.length ? body : Buffer.from(body);
}
