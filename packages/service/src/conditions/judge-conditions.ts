import type { EntityTags } from "./parse-entity-tags.ts";

/** The conditions of a request. */
export interface Conditions {
  /** Whether the request only reads. Then a client that has the current state gets a 304. */
  readonly isRead: boolean;
  readonly ifMatch: EntityTags | undefined;
  readonly ifNoneMatch: EntityTags | undefined;
}

/** What the conditions of a request mean for it. */
export type Verdict = "go on" | "not modified" | "If-Match failed" | "If-None-Match failed";

/**
 * Judges the conditions of a request by the current entity tag, in the order of RFC 9110, section 13.2.2. `If-Match` compares
 * strongly, so a weak tag never matches. `If-None-Match` compares weakly (section 8.8.3.2).
 */
export function judgeConditions({ isRead, ifMatch, ifNoneMatch }: Conditions, current: string): Verdict {
  if (ifMatch !== undefined && !matchesStrongly(ifMatch, current)) return "If-Match failed";
  if (ifNoneMatch === undefined || !matchesWeakly(ifNoneMatch, current)) return "go on";
  return isRead ? "not modified" : "If-None-Match failed";
}

function matchesStrongly(tags: EntityTags, current: string): boolean {
  return tags === "*" || (!isWeak(current) && tags.includes(current));
}

function matchesWeakly(tags: EntityTags, current: string): boolean {
  return tags === "*" || tags.some((tag) => withoutWeakness(tag) === withoutWeakness(current));
}

function withoutWeakness(tag: string): string {
  return isWeak(tag) ? tag.slice(2) : tag;
}

/** Whether an entity tag is weak. */
export function isWeak(tag: string): boolean {
  return tag.startsWith("W/");
}
