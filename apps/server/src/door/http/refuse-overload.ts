import { AppError } from "@siteward/service";
import { hasBody } from "./has-body.ts";
import { isRefused } from "./request-bound.ts";
import type { Step } from "./run-steps.ts";

/** Refuses a request if too many are in progress. Its body is not read, so if it has one, the connection ends. */
export const refuseOverload: Step = (request) => {
  if (isRefused(request)) throw overloaded(hasBody(request) ? { Connection: "close" } : {});
};

/** Returns the refusal of a request if too many are in progress. */
export function overloaded(headers: Readonly<Record<string, string>> = {}): AppError {
  return new AppError("unavailable", "The server is busy. Nothing was changed. Retry the request in a moment.", {
    headers: { "Retry-After": "1", ...headers },
  });
}
