import type { ApiError, ErrorCode } from "@siteward/sdk";
import { CliError, localErrors } from "../process/cli-error.ts";
import { type ExitCode, exitCodes } from "../process/exit-code.ts";
import type { Facts } from "../process/io.ts";
import { type Rest, StoppedError } from "../process/stopped-error.ts";
import { WriteError } from "../process/write-error.ts";
import { type ApiErrorMeaning, apiErrors, meaningOfStatus, notThisService } from "./api-errors.ts";

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
  if (error instanceof StoppedError) {
    return { ...(await describeError(error.cause, facts)), ...error.rest };
  }
  if (error instanceof CliError) return describeCliError(error, facts);
  if (error instanceof WriteError) return describeWriteError(error);
  // If the error is the SDK's, the SDK is already loaded. Wrong usage returns above without loading it.
  const { AbortError, isApiError, SitewardError } = await import("@siteward/sdk");
  if (isApiError(error)) return describeApiError(error, facts);
  if (error instanceof AbortError) {
    return describeCliError(new CliError("interrupted", "Interrupted."), facts);
  }
  if (error instanceof SitewardError)
    return { ...sdkError(error.code, facts), code: error.code, message: error.message };
  return {
    exitCode: exitCodes.failed,
    code: "internal",
    message: error instanceof Error ? error.message : String(error),
  };
}

function describeCliError({ code, message, next }: CliError, { key }: Facts): Failure {
  const origin = code === "api_key_mistyped" && key !== undefined ? `The API key comes from ${key.origin}. ` : "";
  return { exitCode: localErrors[code], code, message, next: next && origin + next };
}

function describeWriteError({ message }: WriteError): Failure {
  return { exitCode: exitCodes.failed, code: "output_failed", message: `Cannot write the result: ${message}.` };
}

function describeApiError(error: ApiError, facts: Facts): Failure {
  const { exitCode, next }: ApiErrorMeaning = isKnownCode(error.code)
    ? apiErrors[error.code]
    : meaningOfStatus(error.status);
  const hasErrors = Object.keys(error.errors).length > 0;
  return {
    exitCode,
    code: error.code,
    message: error.detail === "" ? error.title : inWordsOfFlags(error),
    title: error.title,
    status: error.status,
    errors: hasErrors ? error.errors : undefined,
    requestId: error.requestId,
    next: adviseOnRefusedKey(error, facts) ?? specificNext(error) ?? next,
  };
}

/** The service names the header of a condition, which a user of the CLI sets with a flag. */
function inWordsOfFlags({ code, detail }: ApiError): string {
  return code === "precondition_failed" ? detail.replaceAll("If-Match", "--if-match") : detail;
}

/** Returns which key was refused and how to replace it. */
function adviseOnRefusedKey({ code, status }: ApiError, { key }: Facts): string | undefined {
  if (key === undefined) return undefined;
  const origin = `The API key comes from ${key.origin} and was sent to ${key.baseUrl}.`;
  if (code === "insufficient_scope") return `${origin} ${apiErrors.insufficient_scope.next}`;
  return code === "unauthenticated" || status === 401 ? `${origin} ${key.remedy}` : undefined;
}

/** Returns advice with an exact command or time, if the problem details contain one. */
function specificNext(error: ApiError): string | undefined {
  const { code, detail, errors, path, problem, retryAfterMs } = error;
  if (code === "not_found") return nextOfUnknownPath(detail);
  if (code === "precondition_failed") return nextOfOutdatedTag(path);
  if (problem?.website_id !== undefined) {
    const { website_id: id } = problem;
    return (
      `Show the website that has this domain with \`siteward websites get ${id}\`, ` +
      `or change its settings with \`siteward websites update ${id}\`.`
    );
  }
  if (Object.hasOwn(errors, "password")) return "To send a password, use --password-stdin.";
  // The service says at which time, which may be many hours later.
  if (code === "change_limit_reached") return undefined;
  if (retryAfterMs !== undefined) return `Retry in ${Math.ceil(retryAfterMs / 1000)} s.`;
  return undefined;
}

/** Returns the advice for a path that the service does not have, which the base URL caused. */
function nextOfUnknownPath(detail: string): string | undefined {
  return /^The path \S+ does not exist/.test(detail) ? notThisService : undefined;
}

/** Returns the command that shows the current entity tag of the website in the path. */
function nextOfOutdatedTag(path = ""): string | undefined {
  const id = /\/websites\/(\d+)$/.exec(path)?.[1];
  if (id === undefined) return undefined;
  return `Get the website again with \`siteward websites get ${id} --etag\`, then repeat the change.`;
}

function isKnownCode(code: string): code is ErrorCode {
  return Object.hasOwn(apiErrors, code);
}

function sdkError(code: string, { proxyVariable }: Facts): ApiErrorMeaning {
  if (code === "invalid_argument") return { exitCode: exitCodes.refused };
  if (code === "timeout") return { exitCode: exitCodes.failed, next: "Retry, or allow more time with --timeout." };
  const proxy = proxyVariable === undefined ? "" : ` The requests go through the proxy of ${proxyVariable}.`;
  return {
    exitCode: exitCodes.failed,
    next:
      "Check that the service is running and that the base URL is correct " +
      `(--base-url, SITEWARD_BASE_URL or the profile).${proxy}`,
  };
}
