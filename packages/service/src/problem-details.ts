import { errorCodes, type Problem } from "@siteward/contract";
import type { AppError, Facts } from "./app-error.ts";

/** The path of the documentation of error codes, below the base URL. */
const errorDocsPath = "/docs/errors";

/** The header of an answer that an earlier request with the same idempotency key had. */
export const replayedHeader = "Idempotency-Replayed";

/** The facts that are headers. All others are members of the problem details. */
const headerNames = {
  retryAfterS: "Retry-After",
  isReplayed: replayedHeader,
  entityTag: "ETag",
  allow: "Allow",
  acceptPost: "Accept-Post",
  accept: "Accept",
  challenge: "WWW-Authenticate",
  connection: "Connection",
} as const satisfies Partial<Record<keyof Facts, string>>;

/** Builds the problem details (RFC 9457) that answer an error. */
export function toProblemDetails(error: AppError, request: { baseUrl: string; requestId: string }): Problem {
  const { code, message, facts } = error;
  const { status, title } = errorCodes[code];
  const type = `${request.baseUrl}${errorDocsPath}/${code}`;
  const members = Object.fromEntries(Object.entries(facts).filter(([fact]) => !Object.hasOwn(headerNames, fact)));
  return { type, title, status, detail: message, code, ...members, request_id: request.requestId };
}

/** Returns the headers that belong to an error, such as `Allow` or `Retry-After`. */
export function errorHeaders({ facts }: AppError): Record<string, string> {
  // The cast is safe: Object.entries loses the type of the keys.
  const sent = (Object.entries(facts) as [keyof typeof headerNames, unknown][]).filter(([fact]) => fact in headerNames);
  return Object.fromEntries(sent.map(([fact, value]) => [headerNames[fact], String(value)]));
}
