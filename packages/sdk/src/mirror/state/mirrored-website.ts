import type { Website } from "@siteward/contract/types";

/** A website of a mirror. It and its lists are frozen, because websites with the same lists share them. */
export type MirroredWebsite = {
  readonly [Field in keyof Website]: Website[Field] extends string[] ? readonly string[] : Website[Field];
};

/** A website was created, updated or deleted since the mirror last knew it. */
export interface WebsiteChange {
  /** What happened. Several changes between two requests are one: what a website was, and what it is now. */
  readonly kind: "created" | "updated" | "deleted";
  /** The website as it is now. If it was deleted, as the mirror last knew it. */
  readonly website: MirroredWebsite;
  /** The website as it was before. Undefined if it was created. */
  readonly before: MirroredWebsite | undefined;
}

/**
 * Checks what the mirror relies on. The service's tests check each body against the contract, but a file, or a proxy that answers
 * in place of the service, may contain anything.
 */
export function isWebsite(value: unknown): value is Website {
  const { id, domain, updated_at, exclude_params, exclude_ips }: Partial<Record<keyof Website, unknown>> =
    Object(value);
  return (
    Number.isSafeInteger(id) &&
    typeof domain === "string" &&
    typeof updated_at === "string" &&
    Array.isArray(exclude_params) &&
    Array.isArray(exclude_ips)
  );
}
