import type { ApiError } from "@siteward/sdk";
import { CliError, localErrors } from "../process/cli-error.ts";
import { type ExitCode, exitCodes } from "../process/exit-code.ts";
import type { Facts } from "../process/io.ts";
import { type Rest, StoppedError } from "../process/stopped-error.ts";
import { WriteError } from "../process/write-error.ts";
import { adviceOn, exitCodeOf, notThisService } from "./api-errors.ts";

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
  const { AbortError, isApiError, SitewardError } = await import("@siteward/sdk");
  if (isApiError(error)) return describeApiError(error, facts);
  if (error instanceof AbortError) return describeCliError(new CliError("interrupted", "Interrupted."), facts);
  if (error instanceof SitewardError) return { ...sdkError(error.code, facts), code: error.code, message };
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
    next: adviseOnRefusedKey(error, facts) ?? specificNext(error) ?? adviceOn(code, status),
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
  if (Object.hasOwn(errors, "password")) return "To send a password, use --password-stdin.";
  // The service says at which time, which may be many hours later.
  if (code === "change_limit_reached" || retryAfterMs === undefined) return undefined;
  return `Retry in ${Math.ceil(retryAfterMs / 1000)} s.`;
}

function sdkError(code: string, { proxyVariable }: Facts): Pick<Failure, "exitCode" | "next"> {
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
