import type { IncomingMessage, ServerResponse } from "node:http";
import { lingerMs } from "./end-connection.ts";

/**
 * Answers a request whose body is not read to its end, as the last answer on its connection. The connection stays open until
 * the client closes it, for two seconds at most: if it were closed while the client still sends, it would be reset, and the
 * client could lose the answer (RFC 9112, section 9.6). Nothing more is read meanwhile.
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
