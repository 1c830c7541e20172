import { errorCodes, type Problem } from "@siteward/contract";
import type { AppError } from "../errors/app-error.ts";

/** Where the documentation of an error code is served, below the base URL. */
export const errorDocsPath = "/docs/errors";

/** Makes the problem details (RFC 9457) that an error is answered with. */
export function toProblemDetails(error: AppError, request: { baseUrl: string; requestId: string }): Problem {
  const { code, message, extension } = error;
  const { status, title } = errorCodes[code];
  const type = `${request.baseUrl}${errorDocsPath}/${code}`;
  return { type, title, status, detail: message, code, ...extension, request_id: request.requestId };
}
