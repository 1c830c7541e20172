import type { Route } from "@siteward/contract";
import { AppError } from "../errors/app-error.ts";
import type { Conditions } from "./judge-conditions.ts";
import { type EntityTags, maxEntityTags, parseEntityTags } from "./parse-entity-tags.ts";

/** The headers with conditions. The others of RFC 9110 compare times, and no answer has a `Last-Modified`. */
type ConditionHeader = "If-Match" | "If-None-Match";

/** The headers of a request, of which only these two are read. */
interface ConditionHeaders {
  readonly "if-match"?: string | undefined;
  readonly "if-none-match"?: string | undefined;
}

/**
 * Reads the conditions of a request.
 *
 * @returns undefined if it has none
 * @throws AppError `malformed_request` if a header is not valid, or if the method is POST, which takes no condition
 */
export function readConditions(headers: ConditionHeaders, method: Route["method"]): Conditions | undefined {
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = headers;
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  if (method === "POST") throw conditionOfPost(ifMatch === undefined ? "If-None-Match" : "If-Match");
  return {
    isRead: method === "GET",
    ifMatch: ifMatch === undefined ? undefined : readEntityTags("If-Match", ifMatch),
    ifNoneMatch: ifNoneMatch === undefined ? undefined : readEntityTags("If-None-Match", ifNoneMatch),
  };
}

function readEntityTags(header: ConditionHeader, value: string): EntityTags {
  const tags = parseEntityTags(value);
  if (tags === "malformed") {
    throw malformed(
      `The ${header} header is not valid. ` +
        "Send an entity tag as you received it, with its quotes, or several of them, comma-separated, or *.",
    );
  }
  if (tags === "too many") {
    throw malformed(`The ${header} header has more than ${maxEntityTags} entity tags. Send fewer.`);
  }
  return tags;
}

/** What a POST creates has no entity tag yet, and the tag of a list changes with each record. */
function conditionOfPost(header: ConditionHeader): AppError {
  return malformed(
    `A POST takes no condition. Remove the ${header} header. ` +
      "To create something only once, send an Idempotency-Key header.",
  );
}

function malformed(detail: string): AppError {
  return new AppError("malformed_request", detail);
}
