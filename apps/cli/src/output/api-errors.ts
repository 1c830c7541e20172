import type { ErrorCode } from "@siteward/sdk";
import { type ExitCode, exitCodes } from "../process/exit-code.ts";

/** What an error of the service means to a user of the CLI. */
export interface ApiErrorMeaning {
  readonly exitCode: ExitCode;
  /** What to do next; undefined if the message of the service says it. */
  readonly next?: string;
}

const logIn = "Log in with `siteward login`, or set SITEWARD_API_KEY to a valid key.";
const tellOperator = "Retry. If it fails again, send the request ID to the operator of the service.";
/** The advice if something else than the service answered, or a version of it that does not fit. */
export const notThisService = "Check that the base URL belongs to a Siteward service and that this CLI is up to date.";

/** Every error code of the contract. A code without an entry here does not compile. */
export const apiErrors = {
  malformed_request: { exitCode: exitCodes.refused },
  unauthenticated: { exitCode: exitCodes.notAllowed, next: logIn },
  insufficient_scope: { exitCode: exitCodes.notAllowed, next: "Use an API key that has this scope." },
  website_limit_reached: { exitCode: exitCodes.notAllowed },
  not_found: { exitCode: exitCodes.notFound, next: "List your websites with `siteward websites list`." },
  method_not_allowed: { exitCode: exitCodes.failed, next: notThisService },
  domain_taken: { exitCode: exitCodes.conflict },
  idempotency_in_progress: { exitCode: exitCodes.conflict, next: "Retry in a moment, with the same idempotency key." },
  cursor_expired: { exitCode: exitCodes.conflict },
  precondition_failed: { exitCode: exitCodes.conflict, next: "Get the website again, then repeat the change." },
  body_too_large: { exitCode: exitCodes.refused, next: "Send shorter lists." },
  unsupported_media_type: { exitCode: exitCodes.failed, next: notThisService },
  validation_failed: { exitCode: exitCodes.refused },
  idempotency_key_reused: { exitCode: exitCodes.conflict },
  rate_limited: { exitCode: exitCodes.rateLimited },
  change_limit_reached: { exitCode: exitCodes.rateLimited },
  internal: { exitCode: exitCodes.failed, next: tellOperator },
  unavailable: { exitCode: exitCodes.failed, next: "Retry in a moment." },
} as const satisfies Record<ErrorCode, ApiErrorMeaning>;

/** Returns the meaning of an error without a known code, such as the page of a proxy or a newer code, by its status. */
export function meaningOfStatus(status: number): ApiErrorMeaning {
  if (status === 401) return { exitCode: exitCodes.notAllowed, next: logIn };
  if (status === 403) return { exitCode: exitCodes.notAllowed };
  if (status === 404) return { exitCode: exitCodes.notFound, next: notThisService };
  if (status === 409 || status === 412) return { exitCode: exitCodes.conflict };
  if (status === 429) return { exitCode: exitCodes.rateLimited };
  if (status === 400 || status === 413 || status === 422) return { exitCode: exitCodes.refused };
  return { exitCode: exitCodes.failed, next: notThisService };
}
