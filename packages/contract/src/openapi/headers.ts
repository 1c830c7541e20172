import type { ErrorCode } from "../error-codes.ts";
import type { Route } from "../routes.ts";
import type { Header, Reference } from "./open-api-document.ts";

/** Every response header in the document. */
export const headers = {
  "X-Request-Id": {
    description:
      "Identifies the request in the server's log. " +
      "If the request has an `X-Request-Id` of 1 to 128 letters, digits and `_.:~-`, without `swk_`, " +
      "the response has the same one.",
    required: true,
    schema: { type: "string" },
    example: "01890a5d-ac96-774b-bcce-b302099a8057",
  },
  ETag: {
    description:
      "Entity tag of the record, the page of a list, or the account. It changes with every change. " +
      "Only the tag of a record, and of a page without changes, is strong; the others begin with `W/`. " +
      "The tag of a page without changes since a cursor is that cursor, in quotes. With 304 and 412 it is the current one.",
    required: true,
    schema: { type: "string" },
    example: '"1-7-1"',
  },
  Location: {
    description: "URL of the new record.",
    required: true,
    schema: { type: "string" },
    example: "http://127.0.0.1:3000/api/v1/websites/7",
  },
  "Idempotency-Replayed": {
    description:
      "`true` if this is the first answer to an earlier request with the same `Idempotency-Key`. " +
      "Nothing was done again.",
    required: false,
    schema: { type: "string", const: "true" },
    example: "true",
  },
  "RateLimit-Policy": {
    description:
      "How many requests (`q`) the API key may send in how many seconds (`w`), " +
      "as a structured field (draft-ietf-httpapi-ratelimit-headers). Missing if the key has no limit.",
    required: false,
    schema: { type: "string" },
    example: '"default";q=6000;w=60',
  },
  RateLimit: {
    description:
      "How many requests the API key may still send now (`r`), and the number of seconds until it may send one more " +
      "(`t`), as a structured field. Missing if the key has no limit.",
    required: false,
    schema: { type: "string" },
    example: '"default";r=5999;t=1',
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

/** The headers of every response to a request with a valid API key. */
const headersOfValidKey = ["RateLimit-Policy", "RateLimit"] as const satisfies readonly HeaderName[];

/** The headers of an error, in addition to those of every response. */
const headersOfErrors: { readonly [Code in ErrorCode]?: readonly HeaderName[] } = {
  unauthenticated: ["WWW-Authenticate"],
  insufficient_scope: ["WWW-Authenticate"],
  website_limit_reached: ["Idempotency-Replayed"],
  domain_taken: ["Idempotency-Replayed"],
  idempotency_in_progress: ["Retry-After"],
  precondition_failed: ["ETag"],
  unsupported_media_type: ["Accept-Post", "Accept"],
  rate_limited: ["Retry-After"],
  change_limit_reached: ["Retry-After"],
  unavailable: ["Retry-After"],
};

/** Returns the headers of a response with one of these errors. */
export function headersOfCodes(codes: readonly ErrorCode[]): Record<string, Header | Reference> {
  const own = codes.flatMap((code) => headersOfErrors[code] ?? []);
  const all = refer(codes.includes("unauthenticated") ? own : [...own, ...headersOfValidKey]);
  const onlyOfSome = own.filter((name) => !codes.every((code) => headersOfErrors[code]?.includes(name)));
  return { ...all, ...Object.fromEntries(onlyOfSome.map((name) => [name, { ...headers[name], required: false }])) };
}

/** Returns the headers of a success, or of a 304. */
export function headersOfSuccess({ method }: Route, status: number): Record<string, Reference> {
  return refer([
    ...(status === 204 ? [] : (["ETag"] as const)),
    ...(status === 201 ? (["Location"] as const) : []),
    ...(method === "POST" ? (["Idempotency-Replayed"] as const) : []),
    ...headersOfValidKey,
  ]);
}

/** Returns references to these headers and to that of every response. */
function refer(names: readonly HeaderName[]): Record<string, Reference> {
  const all: readonly HeaderName[] = ["X-Request-Id", ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
