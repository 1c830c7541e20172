import { hash } from "node:crypto";
import type { ListPosition, PositionStart } from "../storage/storage.ts";

/** The list that a cursor belongs to: one search in one order. */
export interface ListOrder {
  readonly search?: string | undefined;
  readonly sortBy: "id" | "domain";
  readonly sort: "asc" | "desc";
}

/** Why a text is not a valid cursor for a list. */
export type CursorFault = "unreadable" | "other-list";

const version = 1;

/** Encodes a position in a list, together with what identifies the list, as an opaque string. */
export function encodeCursor(order: ListOrder, { direction, position }: PositionStart): string {
  const parts = [version, fingerprint(order), direction, position.side, position.key];
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** Decodes a cursor. It needs no signature, because it can only name a position in the caller's own list. */
export function decodeCursor(text: string, order: ListOrder): PositionStart | CursorFault {
  const [cursorVersion, list, direction, side, key] = parseParts(text);
  if (cursorVersion !== version || typeof list !== "string") return "unreadable";
  if (list !== fingerprint(order)) return "other-list";
  if (direction !== "forward" && direction !== "backward") return "unreadable";
  if ((side !== "before" && side !== "after") || !isKey(key, order)) return "unreadable";
  return { direction, position: { side, key } };
}

function parseParts(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function isKey(key: unknown, { sortBy }: ListOrder): key is ListPosition["key"] {
  return sortBy === "id" ? Number.isSafeInteger(key) : typeof key === "string" && /^[a-z0-9.-]{1,253}$/.test(key);
}

function fingerprint({ search = "", sortBy, sort }: ListOrder): string {
  const order = `${sortBy}.${sort}`;
  return search === "" ? order : `${order}.${hash("sha256", search, "base64url").slice(0, 12)}`;
}
