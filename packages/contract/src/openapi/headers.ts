import type { ErrorCode } from "../error-codes.ts";
import type { Header, Reference } from "./open-api-document.ts";

/** Every response header in the document. */
export const headers = {
  "X-Request-Id": {
    description:
      "Identifies the request in the server's log. If the request has an `X-Request-Id` of 1 to 128 letters, digits and `_.:~-`, without `swk_`, the response has the same one.",
    required: true,
    schema: { type: "string" },
    example: "01890a5d-ac96-774b-bcce-b302099a8057",
  },
  ETag: {
    description: "Strong entity tag of the record. It changes with every change of the record.",
    required: true,
    schema: { type: "string" },
    example: '"7-1"',
  },
  Location: {
    description: "URL of the new record.",
    required: true,
    schema: { type: "string" },
    example: "http://127.0.0.1:3000/api/v1/websites/7",
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750).",
    required: false,
    schema: { type: "string" },
    example: 'Bearer realm="siteward"',
  },
  "Accept-Post": {
    description: "The supported media types for the body of a POST (LDP 1.0, section 7.1).",
    required: false,
    schema: { type: "string" },
    example: "application/x-www-form-urlencoded, application/json",
  },
  Accept: {
    description: "The supported media types for the body of a PUT (RFC 9110, section 15.5.16).",
    required: false,
    schema: { type: "string" },
    example: "application/x-www-form-urlencoded, application/json",
  },
  "Retry-After": {
    description: "Number of seconds to wait before retrying the request.",
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 1,
  },
} as const satisfies Record<string, Header>;

type HeaderName = keyof typeof headers;

/** The headers of an error, in addition to those of every response. */
const headersOfErrors: { readonly [Code in ErrorCode]?: readonly HeaderName[] } = {
  unauthenticated: ["WWW-Authenticate"],
  insufficient_scope: ["WWW-Authenticate"],
  unsupported_media_type: ["Accept-Post", "Accept"],
  idempotency_in_progress: ["Retry-After"],
  precondition_failed: ["ETag"],
  rate_limited: ["Retry-After"],
  unavailable: ["Retry-After"],
};

/** Returns the headers of a response with these errors. */
export function headersOfCodes(codes: readonly ErrorCode[]): Record<string, Reference> {
  return refer(codes.flatMap((code) => headersOfErrors[code] ?? []));
}

/** Returns the headers of a response that contains a record. */
export function headersOfRecord(status: number): Record<string, Reference> {
  return refer(status === 201 ? ["ETag", "Location"] : ["ETag"]);
}

/** Returns references to these headers and to those of every response. */
export function refer(names: readonly HeaderName[]): Record<string, Reference> {
  const all: readonly HeaderName[] = ["X-Request-Id", ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
