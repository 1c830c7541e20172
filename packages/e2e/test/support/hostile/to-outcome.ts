import { ApiError, ConnectionError, TimeoutError } from "@siteward/sdk";
import type { Outcome } from "./attack.ts";

/** Names the error that a call ended with. */
export function toOutcome(error: unknown): Outcome {
  if (error instanceof TimeoutError) return "timeout";
  if (error instanceof ConnectionError) return error.requestSent ? "broken connection" : "no connection";
  if (!(error instanceof ApiError)) return `undocumented: ${String(error)}`;
  if (error.code === "unexpected_response") return "unexpected response";
  return error.code === "not_modified" ? "not modified" : `problem: ${error.code}`;
}
