import type { IncomingMessage, ServerResponse } from "node:http";
import { exchangeOf, type Principal } from "../door/admission/exchange.ts";

/** Returns who makes the request. */
export function principalOf(request: IncomingMessage): Principal {
  return exchangeOf(request).principal;
}

/** Returns the ID of a request. */
export function requestIdOf(request: IncomingMessage): string {
  return exchangeOf(request).id;
}

/** Adds a header to a response that is not sent yet. */
export function addHeader(response: ServerResponse, name: string, value: string): void {
  exchangeOf(response.req).headers.push(name, value);
}
