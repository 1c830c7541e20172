import type { ErrorCode } from "@siteward/sdk";
import { type ExitCode, exitCodes } from "../process/exit-code.ts";

/** Returns the exit code of an answer of the service, or of what stands before it, such as a proxy. */
export function exitCodeOf(code: string, status: number): ExitCode {
  // Its status is that of a body that is not valid.
  if (code === "idempotency_key_reused") return exitCodes.conflict;
  return exitCodeOfStatus.get(status) ?? exitCodes.failed;
}

const exitCodeOfStatus: ReadonlyMap<number, ExitCode> = new Map([
  [400, exitCodes.refused],
  [401, exitCodes.notAllowed],
  [403, exitCodes.notAllowed],
  [404, exitCodes.notFound],
  [409, exitCodes.conflict],
  [410, exitCodes.conflict],
  [412, exitCodes.conflict],
  [413, exitCodes.refused],
  [422, exitCodes.refused],
  [429, exitCodes.rateLimited],
]);

/** The advice if something else than the service answered, or a version of it that does not fit. */
export const notThisService = "Check that the base URL belongs to a Siteward service and that this CLI is up to date.";

const tellOperator = "Retry. If it fails again, send the request ID to the operator of the service.";

/** What to do next, if the message of the service does not say it. */
const advice: ReadonlyMap<string, string> = new Map<ErrorCode, string>([
  ["unauthenticated", "Log in with `siteward login`, or set SITEWARD_API_KEY to a valid key."],
  ["insufficient_scope", "Use an API key that has this scope."],
  ["not_found", "List your websites with `siteward websites list`."],
  ["idempotency_in_progress", "Retry in a moment, with the same idempotency key."],
  ["precondition_failed", "Get the website again, then repeat the change."],
  ["body_too_large", "Send shorter lists."],
  ["internal", tellOperator],
  ["unavailable", "Retry in a moment."],
]);

/** Returns what to do next, as a sentence; undefined if the message of the service says it. */
export function adviceOn(code: string, status: number): string | undefined {
  const isOther = status === 404 || !exitCodeOfStatus.has(status);
  return advice.get(code) ?? (status === 401 ? advice.get("unauthenticated") : isOther ? notThisService : undefined);
}
