import { validationFailed } from "./refusals.ts";
import type { ChangePosition, ListPosition, PositionStart, WebsiteListRequest } from "./storage.ts";

/** The list that a cursor belongs to: one search, in any case, in one order. */
export type ListOrder = Pick<WebsiteListRequest, "search" | "sortBy" | "sort">;

/** The format of both cursors. That of changes begins with its kind, so neither is taken for the other. */
const version = 1;
const changesKind = "changes";

/** Encodes a position in a list, together with what identifies the list, as an opaque string. */
export function encodeListCursor(order: ListOrder, { direction, position }: PositionStart): string {
  return encode([version, nameOf(order), direction, position.side, position.key]);
}

const unreadable = "is not a valid cursor; send meta.next_cursor or meta.prev_cursor of an earlier page, unchanged";
const ofOtherList =
  "belongs to a list with another search, sort_by or sort; send the values of that list, or omit the cursor";

/**
 * Decodes the cursor of a list. It needs no signature, because it can only name a position in the caller's own list.
 *
 * @throws AppError `validation_failed` if the text is no cursor of this list
 */
export function decodeListCursor(text: string, order: ListOrder): PositionStart {
  const [cursorVersion, list, direction, side, key] = decode(text);
  if (cursorVersion === version && typeof list === "string") {
    if (list !== nameOf(order)) throw validationFailed({ cursor: [ofOtherList] });
    const isPlace = (direction === "forward" || direction === "backward") && (side === "before" || side === "after");
    if (isPlace && isKey(key, order)) return { direction, position: { side, key } };
  }
  throw validationFailed({ cursor: [unreadable] });
}

function isKey(key: unknown, { sortBy }: ListOrder): key is ListPosition["key"] {
  return sortBy === "id" ? Number.isSafeInteger(key) : typeof key === "string" && /^[a-z0-9.-]{1,253}$/.test(key);
}

function nameOf({ search = "", sortBy, sort }: ListOrder): string {
  return [sortBy, sort, ...(search === "" ? [] : [search.toLowerCase()])].join(".");
}

/**
 * Encodes a position in the changes of an account as an opaque string, which can be an entity tag. The account is part of it:
 * the changes of several accounts have the same URL.
 */
export function encodeChangesCursor(accountId: number, { number, at }: ChangePosition): string {
  return encode([changesKind, version, accountId, number, at]);
}

/** Decodes the cursor of changes. */
export function decodeChangesCursor(
  text: string,
): { readonly accountId: number; readonly position: ChangePosition } | undefined {
  const [kind, cursorVersion, accountId, number, at] = decode(text);
  if (kind !== changesKind || cursorVersion !== version) return undefined;
  return isCount(accountId) && isCount(number) && isCount(at) ? { accountId, position: { number, at } } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function encode(parts: readonly unknown[]): string {
  return encodeBase64Url(JSON.stringify(parts));
}

/**
 * Returns the parts of a cursor. None if it cannot be read, or is not exactly what encodes these parts: base64 and JSON have
 * many spellings, and a cursor with a character more or less is a mistake of the client.
 */
function decode(text: string): readonly unknown[] {
  try {
    const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const json = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    const parts: unknown = JSON.parse(json);
    return Array.isArray(parts) && encode(parts) === text ? parts : [];
  } catch {
    return [];
  }
}

/** Encodes the UTF-8 of a text in base64url (RFC 4648, section 5), without padding. */
export function encodeBase64Url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
