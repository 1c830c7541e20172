import type { ZodOpenApiHeaderObject, ZodOpenApiParameterObject } from "zod-openapi";
import type { ErrorCode } from "../error-codes.ts";
import type { Route } from "../routes.ts";

/** Every request header that operations take, apart from those of HTTP itself. */
export const headerParameters = {
  "Idempotency-Key": requestHeader(
    "Idempotency-Key",
    "Makes the request safe to retry: " +
      "1 to 255 visible ASCII characters, different for each new request, such as a UUID. " +
      "A request with the same key, path and fields gets the first answer again, " +
      "with the header `Idempotency-Replayed`, and nothing is done twice. " +
      "Answers are kept for 24 hours for each account. " +
      "Answers that did nothing, such as 401, 422 and 429, are not kept.",
    "b6a7c1e4-0d0b-4c39-9d7e-3f0c51a0c2f1",
    { pattern: "^[!-~]{1,255}$" },
  ),
  "If-Match": requestHeader(
    "If-Match",
    "The request is done only if this is the current entity tag; " +
      "otherwise the response is 412 `precondition_failed`. A list of up to 64 tags, or `*`. " +
      "A weak tag never matches (RFC 9110, section 13.1.1).",
    '"1-7-1"',
  ),
  "If-None-Match": requestHeader(
    "If-None-Match",
    "If this is the current entity tag, a GET is answered with 304 and no body, " +
      "and any other request with 412 `precondition_failed`. A list of up to 64 tags, or `*`. " +
      "Weak tags match too (RFC 9110, section 13.1.2).",
    '"1-7-1"',
  ),
} satisfies Record<string, ZodOpenApiParameterObject>;

function requestHeader(name: string, description: string, example: string, schema: { pattern?: string } = {}) {
  return { name, in: "header", required: false, description, schema: { type: "string", ...schema }, example } as const;
}

/** Returns references to the request headers that an operation takes. */
export function parametersOf({ method }: Route): { $ref: string }[] {
  const names = method === "POST" ? ["Idempotency-Key"] : ["If-Match", "If-None-Match"];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** Every response header in the document. */
export const headers = {
  "X-Request-Id": always(
    "Identifies the request in the server's log. " +
      "If the request has an `X-Request-Id` of 1 to 128 letters, digits and `_.:~-`, without `swk_`, " +
      "the response has the same one.",
    "01890a5d-ac96-774b-bcce-b302099a8057",
  ),
  ETag: always(
    "Entity tag of the record, the page of a list, or the account. It changes with every change. " +
      "Only the tag of a record, and of a page without changes, is strong; the others begin with `W/`. " +
      "The tag of a page without changes since a cursor is that cursor, in quotes. With 304 and 412 it is the current one.",
    '"1-7-1"',
  ),
  Location: always("URL of the new record.", "http://127.0.0.1:3000/api/v1/websites/7"),
  "Idempotency-Replayed": {
    description:
      "`true` if this is the first answer to an earlier request with the same `Idempotency-Key`. " +
      "Nothing was done again.",
    required: false,
    schema: { type: "string", const: "true" },
    example: "true",
  },
  "RateLimit-Policy": text(
    "How many requests (`q`) the API key may send in how many seconds (`w`), " +
      "as a structured field (draft-ietf-httpapi-ratelimit-headers). Missing if the key has no limit.",
    '"default";q=6000;w=60',
  ),
  RateLimit: text(
    "How many requests the API key may still send now (`r`), and the number of seconds until it may send one more " +
      "(`t`), as a structured field. Missing if the key has no limit.",
    '"default";r=5999;t=1',
  ),
  "WWW-Authenticate": text("How to authenticate (RFC 6750).", 'Bearer realm="siteward"'),
  "Accept-Post": text(
    "The supported media types for the body of a POST (LDP 1.0, section 7.1).",
    "application/x-www-form-urlencoded, application/json",
  ),
  Accept: text(
    "The supported media types for the body of a PUT (RFC 9110, section 15.5.16).",
    "application/x-www-form-urlencoded, application/json",
  ),
  "Retry-After": {
    description: "Number of seconds to wait before retrying the request. `domain_taken` has none.",
    required: false,
    schema: { type: "integer", minimum: 0 },
    example: 1,
  },
} satisfies Record<string, ZodOpenApiHeaderObject>;

function text(description: string, example: string) {
  return { description, required: false, schema: { type: "string" }, example } as const;
}

function always(description: string, example: string) {
  return { ...text(description, example), required: true };
}

type HeaderName = keyof typeof headers;

/** The headers of every response to a request with a valid API key. */
const headersOfValidKey = ["RateLimit-Policy", "RateLimit"] as const satisfies readonly HeaderName[];

/** The headers of an error, in addition to those of every response. */
const headersOfCodes: { readonly [Code in ErrorCode]?: readonly HeaderName[] } = {
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
export function headersOfErrors(codes: readonly ErrorCode[]): References {
  const own = codes.flatMap((code) => headersOfCodes[code] ?? []);
  return refer(codes.includes("unauthenticated") ? own : [...own, ...headersOfValidKey]);
}

/** Returns the headers of a success, or of a 304. */
export function headersOfSuccess({ method }: Route, status: number): References {
  return refer([
    ...(status === 204 ? [] : (["ETag"] as const)),
    ...(status === 201 ? (["Location"] as const) : []),
    ...(method === "POST" ? (["Idempotency-Replayed"] as const) : []),
    ...headersOfValidKey,
  ]);
}

type References = Record<string, { $ref: string }>;

/** Returns references to these headers and to that of every response. */
function refer(names: readonly HeaderName[]): References {
  const all: readonly HeaderName[] = ["X-Request-Id", ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
