import { errorCodes, type Problem } from "@siteward/contract";
import type { AppError } from "./app-error.ts";

/** The path of the documentation of error codes, below the base URL. */
export const errorDocsPath = "/docs/errors";

/** Builds the problem details (RFC 9457) that answer an error. */
export function toProblemDetails(error: AppError, request: { baseUrl: string; requestId: string }): Problem {
  const { code, message, extension } = error;
  const { status, title } = errorCodes[code];
  const type = `${request.baseUrl}${errorDocsPath}/${code}`;
  return { type, title, status, detail: message, code, ...extension, request_id: request.requestId };
}
