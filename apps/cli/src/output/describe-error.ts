import type { ApiError, ErrorCode, SitewardError } from "@siteward/sdk";
import { CliError, localErrors } from "../process/cli-error.ts";
import { type ExitCode, exitCodes } from "../process/exit-code.ts";
import type { Facts } from "../process/io.ts";
import { type Rest, StoppedError } from "../process/stopped-error.ts";
import { WriteError } from "../process/write-error.ts";

/** An error as it is printed, with what of several things was not done. */
export interface Failure extends Partial<Rest> {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  /** A short summary of the kind of error. */
  readonly title?: string | undefined;
  readonly status?: number | undefined;
  readonly errors?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly requestId?: string | undefined;
  /** What to do next, as a sentence. */
  readonly next?: string | undefined;
}

/** Turns whatever was thrown into what is printed. Nothing else does. */
export async function describeError(error: unknown, facts: Facts = {}): Promise<Failure> {
  if (error instanceof StoppedError) return { ...(await describeError(error.cause, facts)), ...error.rest };
  if (error instanceof CliError) return describeCliError(error, facts);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof WriteError)
    return { exitCode: exitCodes.failed, code: "output_failed", message: `Cannot write the result: ${message}.` };
  // If the error is the SDK's, the SDK is already loaded. Wrong usage returns above without loading it.
  const { AbortError, isApiError, SitewardError: BaseError } = await import("@siteward/sdk");
  if (isApiError(error)) return describeApiError(error, facts);
  if (error instanceof AbortError) return describeCliError(new CliError("interrupted", "Interrupted."), facts);
  if (error instanceof BaseError) return { ...sdkError(error, facts), code: error.code, message };
  return { exitCode: exitCodes.failed, code: "internal", message };
}

function describeCliError({ code, message, next }: CliError, { key }: Facts): Failure {
  const origin = code === "api_key_mistyped" && key !== undefined ? `The API key comes from ${key.origin}. ` : "";
  return { exitCode: localErrors[code], code, message, next: next && origin + next };
}

function describeApiError(error: ApiError, facts: Facts): Failure {
  const { code, status, title, errors, requestId } = error;
  // The service names the header of a condition, which a user of the CLI sets with a flag.
  const detail = code === "precondition_failed" ? error.detail.replaceAll("If-Match", "--if-match") : error.detail;
  return {
    exitCode: exitCodeOf(code, status),
    code,
    message: detail === "" ? title : detail,
    title,
    status,
    errors: Object.keys(errors).length > 0 ? errors : undefined,
    requestId,
    next:
      status === 407
        ? nameProxy(facts)
        : (adviseOnRefusedKey(error, facts) ?? specificNext(error) ?? adviceOn(code, status)),
  };
}

/** Returns which key was refused and how to replace it. */
function adviseOnRefusedKey({ code, status }: ApiError, { key }: Facts): string | undefined {
  if (key === undefined || (status !== 401 && code !== "insufficient_scope")) return undefined;
  const remedy = status === 401 ? key.remedy : adviceOn(code, status);
  return `The API key comes from ${key.origin} and was sent to ${key.baseUrl}. ${remedy}`;
}

/** Returns advice with an exact command or time, if the problem details contain one. */
function specificNext({ code, detail, errors, path = "", problem, retryAfterMs }: ApiError): string | undefined {
  // The base URL caused a path that the service does not have.
  if (code === "not_found") return /^The path \S+ does not exist/.test(detail) ? notThisService : undefined;
  const [, id] = /\/websites\/(\d+)$/.exec(path) ?? [];
  if (code === "precondition_failed" && id !== undefined)
    return `Get the website again with \`siteward websites get ${id} --etag\`, then repeat the change.`;
  if (problem?.website_id !== undefined) {
    const { website_id: taken } = problem;
    return (
      `Show the website that has this domain with \`siteward websites get ${taken}\`, ` +
      `or change its settings with \`siteward websites update ${taken}\`.`
    );
  }
  if (errors["password"]?.[0]?.startsWith("is required")) return "To send a password, use --password-stdin.";
  // The service says at which time, which may be many hours later.
  if (code === "change_limit_reached" || retryAfterMs === undefined) return undefined;
  return `Retry in ${Math.ceil(retryAfterMs / 1000)} s.`;
}

function sdkError({ code, message }: SitewardError, facts: Facts): Pick<Failure, "exitCode" | "next"> {
  if (code === "invalid_argument") return { exitCode: exitCodes.refused };
  if (code === "timeout") return { exitCode: exitCodes.failed, next: "Retry, or allow more time with --timeout." };
  const check =
    "Check that the service is running and that the base URL is correct (--base-url, SITEWARD_BASE_URL or the profile).";
  // The SDK says what to do about the other two.
  const isReached = /NODE_EXTRA_CA_CERTS|user and password of the proxy/.test(message);
  const next = [isReached ? undefined : check, nameProxy(facts)].filter((part) => part !== undefined).join(" ");
  return { exitCode: exitCodes.failed, next: next || undefined };
}

function nameProxy({ proxyVariable }: Facts): string | undefined {
  return proxyVariable && `The requests go through the proxy of ${proxyVariable}.`;
}

/** Returns the exit code of an answer of the service, or of what stands before it, such as a proxy. */
function exitCodeOf(code: string, status: number): ExitCode {
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
const notThisService = "Check that the base URL belongs to a Siteward service and that this CLI is up to date.";

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
function adviceOn(code: string, status: number): string | undefined {
  const isOther = status === 404 || !exitCodeOfStatus.has(status);
  return advice.get(code) ?? (status === 401 ? advice.get("unauthenticated") : isOther ? notThisService : undefined);
}
