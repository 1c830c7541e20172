import fc, { type Arbitrary } from "fast-check";
import { anyBody, type SentBody } from "./any-body.ts";
import { anyCreateFields, anyUpdateFields } from "./any-fields.ts";
import { anyQuery } from "./any-query.ts";
import type { KeyName, PlannedRequest } from "./sequence.ts";
import { weighted } from "./weighted.ts";

const websites = "/api/v1/websites";
const account = "/api/v1/account";
const paths = [websites, `${websites}/1`, account];
const anyPath: Arbitrary<string> = weighted(
  [60, fc.constantFrom(1, 1, 1, 2, 2, 3, 4, 5)],
  [4, fc.integer({ min: 6, max: 40 })],
).map((id) => `${websites}/${id}`);

const anyKey: Arbitrary<KeyName> = weighted<KeyName>(
  [85, fc.constant("all")],
  [5, fc.constant("reader")],
  [5, fc.constant("writer")],
  [5, fc.constant("shortLived")],
);

type SentHeaders = Readonly<Record<string, string>>;

const anyTag = weighted(
  [12, fc.constant("{{tag-of path}}")],
  [2, fc.constantFrom("{{tag-of 1}}", "{{tag-of 2}}")],
  [5, fc.integer({ min: 0, max: 4 }).map((back) => `{{tag ${back}}}`)],
  [2, fc.constant("*")],
);

/** @param share how many of a hundred requests have each condition */
function anyConditions(share: number): Arbitrary<SentHeaders> {
  return weighted<SentHeaders>(
    [100 - 2 * share, fc.constant({})],
    [share, anyTag.map((tag) => ({ "If-Match": tag }))],
    [share, anyTag.map((tag) => ({ "If-None-Match": tag }))],
    [Math.ceil(share / 5), fc.record({ "If-Match": anyTag, "If-None-Match": anyTag })],
  );
}

const anyIdempotencyKey: Arbitrary<SentHeaders> = weighted<SentHeaders>(
  [60, fc.constant({})],
  [36, fc.constantFrom("one", "two", "x".repeat(255)).map((key) => ({ "Idempotency-Key": key }))],
);

const noBody: Arbitrary<SentBody> = fc.constant({ headers: {} });

/** A request for a page of a list, by parameters, by cursor or by link. */
export const anyListRequest: Arbitrary<PlannedRequest> = weighted(
  [16, request("GET", anyListPath(), fc.tuple(noBody, anyConditions(10)))],
  [8, request("GET", anyLink(), fc.tuple(noBody, anyConditions(10)))],
);

/** A request of each kind, and how often it is sent. */
export const anyRequest: Arbitrary<PlannedRequest> = weighted<PlannedRequest>(
  [24, request("POST", fc.constant(websites), fc.tuple(anyBody(anyCreateFields), anyIdempotencyKey, anyConditions(1)))],
  [20, request("PUT", anyPath, fc.tuple(anyBody(anyUpdateFields), anyConditions(15)))],
  [10, request("GET", anyPath, fc.tuple(noBody, anyConditions(15)))],
  [18, anyListRequest],
  [8, request("DELETE", anyPath, fc.tuple(noBody, anyConditions(15)))],
  [3, request("GET", fc.constant(account), fc.tuple(noBody, anyConditions(15)))],
  [2, request("HEAD", fc.constantFrom(...paths), fc.tuple(noBody, anyConditions(15)))],
);

function anyListPath(): Arbitrary<string> {
  return anyQuery.map((query) => `${websites}${query}`);
}

function anyLink(): Arbitrary<string> {
  return fc.constantFrom("{{link 0}}", "{{link 1}}", "{{link 2}}", "{{link 4}}");
}

function request(
  method: string,
  path: Arbitrary<string>,
  parts: Arbitrary<readonly [SentBody, ...SentHeaders[]]>,
): Arbitrary<PlannedRequest> {
  return fc.tuple(anyKey, path, parts).map(([key, chosen, [body, ...others]]) => ({
    method,
    path: chosen,
    key,
    ...body,
    headers: Object.assign({}, body.headers, ...others),
  }));
}
