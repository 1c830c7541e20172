import { AppError } from "@siteward/service";
import type { Exchange } from "./exchange.ts";
import type { Overload } from "./progress.ts";

/** Refuses a request that is past a bound of those in progress. Its body is not read, so if it has one, the connection ends. */
export function refuseOverload(exchange: Exchange): void {
  const { overload } = exchange.progress;
  if (overload !== undefined) throw overloaded(overload, exchange.hasBody ? { Connection: "close" } : {});
}

/** Returns the refusal of a request that is past a bound of those in progress. */
export function overloaded(overload: Overload, headers: Readonly<Record<string, string>> = {}): AppError {
  return new AppError("unavailable", details[overload], { headers: { "Retry-After": "1", ...headers } });
}

const details: Readonly<Record<Overload, string>> = {
  requests: "The server is busy. Nothing was changed. Retry the request in a moment.",
  "requests of the key":
    "This API key has its share of the requests that the server answers at the same time. Nothing was changed. " +
    "Send fewer requests at a time, and retry this one in a moment.",
  bytes: "The server has too many request bodies in memory. Nothing was changed. Retry the request in a moment.",
  "bytes of the key":
    "This API key has its share of the request bodies that the server keeps in memory. Nothing was changed. " +
    "Send fewer requests at a time, and retry this one in a moment.",
};
