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
 * Gives the request an id and sends it back as `X-Request-Id`. An inbound id of 1 to 128 harmless characters is kept,
 * so that a caller's log and ours can be laid side by side. An API key is none: it would come to the log.
 */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const inbound = request.headers[header];
  const id = typeof inbound === "string" && /^(?!.*swk_)[\w.:~-]{1,128}$/.test(inbound) ? inbound : randomUUID();
  request[requestId] = id;
  response.setHeader("X-Request-Id", id);
  return id;
}

/** The id of a request that passed {@link assignRequestId}. */
export function requestIdOf(request: IncomingMessage): string {
  return request[requestId] ?? "";
}
