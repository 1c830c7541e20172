import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const header = "x-request-id";
const requestId = Symbol("request id");

declare module "node:http" {
  interface IncomingMessage {
    [requestId]?: string;
  }
}

/**
 * Gives the request an id and returns it to the client as `X-Request-Id`. If the client sends an id of 1 to 128 harmless
 * characters, that id is kept, so the logs of both sides can be compared. An API key is never kept, because it would be
 * logged.
 */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const inbound = request.headers[header];
  const id = typeof inbound === "string" && /^(?!.*swk_)[\w.:~-]{1,128}$/.test(inbound) ? inbound : randomUUID();
  request[requestId] = id;
  response.setHeader("X-Request-Id", id);
  return id;
}

/** Returns the id of a request that passed {@link assignRequestId}. */
export function requestIdOf(request: IncomingMessage): string {
  return request[requestId] ?? "";
}
