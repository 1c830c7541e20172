import { AppError } from "@siteward/service";
import type { Exchange } from "./exchange.ts";

/** Refuses a request if too many are in progress. Its body is not read, so if it has one, the connection ends. */
export function refuseOverload(exchange: Exchange): void {
  if (exchange.isRefused) throw overloaded(exchange.hasBody ? { Connection: "close" } : {});
}

/** Returns the refusal of a request if too many are in progress. */
export function overloaded(headers: Readonly<Record<string, string>> = {}): AppError {
  return new AppError("unavailable", "The server is busy. Nothing was changed. Retry the request in a moment.", {
    headers: { "Retry-After": "1", ...headers },
  });
}
