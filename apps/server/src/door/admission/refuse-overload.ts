import { AppError, type Facts } from "@siteward/service";
import type { Exchange } from "./exchange.ts";
import type { Overload } from "./progress.ts";

/** Refuses a request that is past a bound of those in progress. Its body is not read, so if it has one, the connection ends. */
export function refuseOverload(exchange: Exchange): void {
  const { overload } = exchange.progress;
  if (overload !== undefined) throw (exchange.hasBody ? lastRefusals : refusals)[overload];
}

/** Returns the refusal of a request that is past a bound of those in progress, and whose body was read. */
export function overloaded(overload: Overload): AppError {
  return refusals[overload];
}

const details: Readonly<Record<Overload, string>> = {
  requests: "The server is busy. Nothing was changed. Retry the request in a moment.",
  "requests of the key":
    "This API key already has as many requests in progress as the server gives one key. Nothing was changed. " +
    "Send fewer requests at a time, and retry this one in a moment.",
  bytes: "The server has too many request bodies in memory. Nothing was changed. Retry the request in a moment.",
  "bytes of the key":
    "The request bodies of this API key already take as much memory as the server gives one key. Nothing was changed. " +
    "Send fewer requests at a time, and retry this one in a moment.",
};

/** Created once: an error notes where it was created, which takes 10 µs, and an answer to a small read takes 30. */
const refusals = createRefusals({});
const lastRefusals = createRefusals({ connection: "close" });

function createRefusals(facts: Facts): Readonly<Record<Overload, AppError>> {
  const refuse = (overload: Overload) =>
    new AppError("unavailable", details[overload], { facts: { retryAfterS: 1, ...facts }, reason: "overload" });
  return {
    requests: refuse("requests"),
    "requests of the key": refuse("requests of the key"),
    bytes: refuse("bytes"),
    "bytes of the key": refuse("bytes of the key"),
  };
}
