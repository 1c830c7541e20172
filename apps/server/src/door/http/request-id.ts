import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isRequestId, requestIdHeader } from "@siteward/service";
import { addHeader } from "./send.ts";

const header = "x-request-id";
const requestId = Symbol("request id");

declare module "node:http" {
  interface IncomingMessage {
    [requestId]?: string;
  }
}

/**
 * Assigns an ID to the request and returns it to the client as `X-Request-Id`. If the client sends an
 * ID of 1 to 128 harmless characters, that ID is kept.
 */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): void {
  const inbound = request.headers[header];
  const id = isRequestId(inbound) ? inbound : randomUUID();
  request[requestId] = id;
  addHeader(response, requestIdHeader, id);
}

/** Returns the ID of a request that passed {@link assignRequestId}. */
export function requestIdOf(request: IncomingMessage): string {
  return request[requestId] ?? "";
}
