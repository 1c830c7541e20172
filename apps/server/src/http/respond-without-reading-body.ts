import type { IncomingMessage, ServerResponse } from "node:http";
import { lingerMs } from "./end-connection.ts";

/**
 * Answers a request whose body is not read to its end. This is the last response on the connection, which stays open
 * until the client closes it, but for at most two seconds. If the server closed it while the client still sends, it would
 * be reset and the client could lose the response (RFC 9112, section 9.6). Nothing more is read in that time.
 */
export function respondWithoutReadingBody(request: IncomingMessage, response: ServerResponse, body: string): void {
  response.setHeader("Connection", "close");
  response.setHeader("Content-Length", Buffer.byteLength(body));
  if (request.complete) {
    response.end(body);
    return;
  }
  request.pause();
  response.write(body);
  const timer = setTimeout(() => response.end(), lingerMs);
  response.once("close", () => clearTimeout(timer));
}
