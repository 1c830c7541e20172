import type { ErrorCode } from "../error-codes.ts";
import type { Route } from "../routes.ts";
import type { Parameter, Reference } from "./open-api-document.ts";

/** Every request header that operations take, apart from those of HTTP itself. */
export const headerParameters = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Makes the request safe to retry: " +
      "1 to 255 visible ASCII characters, different for each new request, such as a UUID. " +
      "A request with the same key, path and fields gets the first answer again, " +
      "with the header `Idempotency-Replayed`, and nothing is done twice. " +
      "Answers are kept for 24 hours for each account. " +
      "Answers that did nothing, such as 401, 422 and 429, are not kept.",
    schema: { type: "string", pattern: "^[!-~]{1,255}$" },
    example: "b6a7c1e4-0d0b-4c39-9d7e-3f0c51a0c2f1",
  },
  "If-Match": {
    name: "If-Match",
    in: "header",
    required: false,
    description:
      "The request is done only if this is the current entity tag; " +
      "otherwise the response is 412 `precondition_failed`. A list of up to 64 tags, or `*`. " +
      "A weak tag never matches (RFC 9110, section 13.1.1).",
    schema: { type: "string" },
    example: '"1-7-1"',
  },
  "If-None-Match": {
    name: "If-None-Match",
    in: "header",
    required: false,
    description:
      "If this is the current entity tag, a GET is answered with 304 and no body, " +
      "and any other request with 412 `precondition_failed`. A list of up to 64 tags, or `*`. " +
      "Weak tags match too (RFC 9110, section 13.1.2).",
    schema: { type: "string" },
    example: '"1-7-1"',
  },
} as const satisfies Record<string, Parameter>;

/** The request headers that an error is about. An operation that can return the error takes them. */
const headersOfErrors: { readonly [Code in ErrorCode]?: readonly (keyof typeof headerParameters)[] } = {
  idempotency_key_reused: ["Idempotency-Key"],
  precondition_failed: ["If-Match", "If-None-Match"],
};

/** Returns references to the request headers that an operation takes. */
export function referToHeaderParameters({ errors }: Route): Reference[] {
  const names = errors.flatMap((code) => headersOfErrors[code] ?? []);
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
