import type { Response } from "express";
import { lingerMs } from "./end-connection.ts";
import { type Answer, bodyEncoding, send, writeHead } from "./send.ts";

/**
 * Answers a request whose body is not read to its end. This is the last response on the connection, and its headers say
 * so. The connection stays open until the client closes it, but for at most two seconds. If the server closed it while
 * the client still sends, it would be reset and the client could lose the response (RFC 9112, section 9.6). Nothing more
 * is read in that time.
 */
export function respondWithoutReadingBody(response: Response, answer: Answer): void {
  const { req: request } = response;
  if (request.complete) {
    send(response, answer);
    return;
  }
  request.pause();
  const body = writeHead(response, answer);
  if (body !== undefined) response.write(body, bodyEncoding);
  const timer = setTimeout(() => response.end(), lingerMs);
  response.once("close", () => clearTimeout(timer));
}
