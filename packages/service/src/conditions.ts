import type { Route } from "@siteward/contract";
import { AppError } from "./app-error.ts";

/** The conditions of a request. */
export interface Conditions {
  /** Whether the request only reads. Then a client that has the current state gets a 304. */
  readonly isRead: boolean;
  readonly ifMatch: EntityTags | undefined;
  readonly ifNoneMatch: EntityTags | undefined;
}

/** The entity tags of a condition, each as it was sent: `"7-1"` or `W/"7-1"`. `*` stands for any. */
type EntityTags = "*" | readonly string[];

/** Those that are read. The other conditions of RFC 9110 compare times, and no answer has a `Last-Modified`. */
export interface ConditionHeaders {
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
  // What a POST creates has no entity tag yet, and the tag of a list changes with each record.
  if (method === "POST") {
    throw malformed(
      `A POST takes no condition. Remove the ${ifMatch === undefined ? "If-None-Match" : "If-Match"} header. ` +
        "To create something only once, send an Idempotency-Key header.",
    );
  }
  return {
    isRead: method === "GET",
    ifMatch: ifMatch === undefined ? undefined : readEntityTags("If-Match", ifMatch),
    ifNoneMatch: ifNoneMatch === undefined ? undefined : readEntityTags("If-None-Match", ifNoneMatch),
  };
}

/** More tags than a client collects for one resource. It bounds how many are compared. */
const maxEntityTags = 64;

/** A tag up to its comma or the end, after any separators. Node decodes bytes outside ASCII as Latin-1. */
const nextTag = /[ \t,]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)/gy;
const onlySeparators = /^[ \t,]*$/;

/**
 * Reads a list of entity tags (RFC 9110, sections 8.8.3 and 13.1). Some of its elements can be empty (section 5.6.1.2). Each
 * character is read at most a few times: 16 KiB, which is the most that a request can have in its headers, take at most
 * 0.1 ms.
 */
function readEntityTags(header: string, value: string): EntityTags {
  if (value === "*") return "*";
  const tags: string[] = [];
  let end = 0;
  for (const found of value.matchAll(nextTag)) {
    const [text, tag = ""] = found;
    tags.push(tag);
    if (tags.length > maxEntityTags) {
      throw malformed(`The ${header} header has more than ${maxEntityTags} entity tags. Send fewer.`);
    }
    end = found.index + text.length;
  }
  if (tags.length > 0 && onlySeparators.test(value.slice(end))) return tags;
  throw malformed(
    `The ${header} header is not valid. ` +
      "Send an entity tag as you received it, with its quotes, or several of them, comma-separated, or *.",
  );
}

function malformed(detail: string): AppError {
  return new AppError("malformed_request", detail);
}

/**
 * Checks the conditions of a request by the current entity tag, in the order of RFC 9110, section 13.2.2. This comes after
 * every other check, because a request that is refused anyway gets that answer (section 13.2.1). `If-Match` compares
 * strongly, so a weak tag never matches. `If-None-Match` compares weakly (section 8.8.3.2).
 *
 * @param conditions undefined if the request has none
 * @returns whether the client that reads has the current state already
 * @throws AppError `precondition_failed`
 */
export function checkConditions(conditions: Conditions | undefined, current: string): boolean {
  const { isRead, ifMatch, ifNoneMatch } = conditions ?? {};
  if (ifMatch !== undefined && ifMatch !== "*" && (isWeak(current) || !ifMatch.includes(current))) {
    throw preconditionFailed(current, describeMismatch(ifMatch, current));
  }
  const isKnown = ifNoneMatch === "*" || ifNoneMatch?.some((tag) => asSent(tag) === asSent(current));
  if (isKnown && !isRead) {
    throw preconditionFailed(
      current,
      `The record has the entity tag ${current}, which If-None-Match excludes. ` +
        "Remove If-None-Match to change the record.",
    );
  }
  return isKnown === true;
}

function isWeak(tag: string): boolean {
  return tag.startsWith("W/");
}

/** Undoes what a proxy that compresses does to a tag: nginx makes it weak, and Apache and Caddy add its encoding. */
function asSent(tag: string): string {
  return tag.replaceAll(/^W\/|-(?:gzip|br|zstd)(?="$)/g, "");
}

function describeMismatch(ifMatch: readonly string[], current: string): string {
  if (isWeak(current)) {
    return `The entity tag ${current} is weak, and If-Match never matches a weak one. Send If-None-Match instead.`;
  }
  if (ifMatch.some((tag) => asSent(tag) === current)) {
    return `A proxy that compresses has changed the entity tag in If-Match, not the record: send ${current}.`;
  }
  return (
    `The record has changed: its entity tag is ${current}. ` +
    "Read it again, then retry the request with this entity tag in If-Match."
  );
}

function preconditionFailed(current: string, detail: string): AppError {
  return new AppError("precondition_failed", detail, { facts: { entityTag: current } });
}
