import fc, { type Arbitrary } from "fast-check";
import { weighted } from "./weighted.ts";

export type SentHeaders = Readonly<Record<string, string>>;

const oddTags = ["W/{{tag-of path}}", "{{tag 0}}, {{tag-of path}}", '"x", {{tag 1}} ,', ", ,", '"unfinished', '""'];
const tooManyTags = Array(65).fill('"x"').join();

const anyTag = weighted(
  [12, fc.constant("{{tag-of path}}")],
  [2, fc.constantFrom("{{tag-of 1}}", "{{tag-of 2}}")],
  [5, fc.integer({ min: 0, max: 4 }).map((back) => `{{tag ${back}}}`)],
  [1, fc.constantFrom(...oddTags, tooManyTags)],
  [2, fc.constant("*")],
);

/** @param share how many of a hundred requests have each condition */
export function anyConditions(share: number): Arbitrary<SentHeaders> {
  return weighted<SentHeaders>(
    [100 - 2 * share, fc.constant({})],
    [share, anyTag.map((tag) => ({ "If-Match": tag }))],
    [share, anyTag.map((tag) => ({ "If-None-Match": tag }))],
    [Math.ceil(share / 5), fc.record({ "If-Match": anyTag, "If-None-Match": anyTag })],
  );
}

const refusedIdempotencyKeys = ["", "a b", "ü", "x".repeat(256)];

export const anyIdempotencyKey: Arbitrary<SentHeaders> = weighted<SentHeaders>(
  [60, fc.constant({})],
  [36, fc.constantFrom("one", "two", "x".repeat(255)).map((key) => ({ "Idempotency-Key": key }))],
  [3, fc.constantFrom(...refusedIdempotencyKeys).map((key) => ({ "Idempotency-Key": key }))],
);

const authorizations = [
  ...["", "Bearer", "Bearer ", "Basic eDp5", "bearer {{key all}}", "BEARER   {{key all}}", "Bearer {{key all}} x"],
  ...["Bearer {{key all}}x", "{{key all}}", "Bearer swk_", "Bearer é", `Bearer swk_${"0".repeat(38)}`],
];

/** Headers of which most are no valid API key. */
export const anyAuthorization: Arbitrary<SentHeaders> = fc.oneof(
  fc.constant({}),
  fc.constantFrom(...authorizations).map((text) => ({ Authorization: text })),
);

const requestIds = ["my-id.1:~_", "x".repeat(128), "x".repeat(129), "a b", "<script>", "é", "swk_x", ""];

export const anyRequestId: Arbitrary<SentHeaders> = fc
  .constantFrom(...requestIds)
  .map((id) => ({ "X-Request-Id": id }));
