import { randomUUID } from "node:crypto";
import { isRequestId, requestIdHeader } from "@siteward/service";
import type { Exchange } from "../admission/exchange.ts";

/**
 * Assigns an ID to the request and returns it to the client as `X-Request-Id`. If the client sends an
 * ID of 1 to 128 harmless characters, that ID is kept.
 */
export function assignRequestId(exchange: Exchange): void {
  const inbound = exchange.request.headers["x-request-id"];
  exchange.id = isRequestId(inbound) ? inbound : randomUUID();
  exchange.headers.push(requestIdHeader, exchange.id);
}
