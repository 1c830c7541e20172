import { encodeBase64Url } from "./base64-url.ts";
import { parseCursor } from "./parse-cursor.ts";
import type { ListPosition, PositionStart } from "./website-list.ts";

/** The list that a cursor belongs to: one search, in any case, in one order. */
export interface ListOrder {
  readonly search?: string | undefined;
  readonly sortBy: "id" | "domain";
  readonly sort: "asc" | "desc";
}

/** Why a text is not a valid cursor for a list. */
type CursorFault = "unreadable" | "other-list";

const version = 1;

/** Encodes a position in a list, together with what identifies the list, as an opaque string. */
export function encodeCursor(order: ListOrder, { direction, position }: PositionStart): string {
  const parts = [version, nameOf(order), direction, position.side, position.key];
  return encodeBase64Url(JSON.stringify(parts));
}

/** Decodes a cursor. It needs no signature, because it can only name a position in the caller's own list. */
export function decodeCursor(text: string, order: ListOrder): PositionStart | CursorFault {
  const [cursorVersion, list, direction, side, key] = parseCursor(text);
  if (cursorVersion !== version || typeof list !== "string") return "unreadable";
  if (list !== nameOf(order)) return "other-list";
  if (direction !== "forward" && direction !== "backward") return "unreadable";
  if ((side !== "before" && side !== "after") || !isKey(key, order)) return "unreadable";
  return { direction, position: { side, key } };
}

function isKey(key: unknown, { sortBy }: ListOrder): key is ListPosition["key"] {
  return sortBy === "id" ? Number.isSafeInteger(key) : typeof key === "string" && /^[a-z0-9.-]{1,253}$/.test(key);
}

function nameOf({ search = "", sortBy, sort }: ListOrder): string {
  const order = `${sortBy}.${sort}`;
  return search === "" ? order : `${order}.${search.toLowerCase()}`;
}
