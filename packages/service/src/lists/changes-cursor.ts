import { encodeBase64Url } from "./base64-url.ts";
import { parseCursor } from "./parse-cursor.ts";
import type { ChangePosition } from "./website-changes.ts";

/** A position in the changes of one account. */
interface AccountPosition {
  readonly accountId: number;
  readonly position: ChangePosition;
}

/** It is at the place of the version of a list's cursor, so neither is taken for the other. */
const kind = "changes";
const version = 1;

/**
 * Encodes a position in the changes of an account as an opaque string, which can be an entity tag. The account is part of it: the
 * changes of several accounts have the same URL.
 */
export function encodeChangesCursor(accountId: number, { number, at }: ChangePosition): string {
  return encodeBase64Url(JSON.stringify([kind, version, accountId, number, at]));
}

/** Decodes a cursor. It needs no signature, because it can only name a position in the changes of the caller's own account. */
export function decodeChangesCursor(text: string): AccountPosition | undefined {
  const [cursorKind, cursorVersion, accountId, number, at] = parseCursor(text);
  if (cursorKind !== kind || cursorVersion !== version) return undefined;
  return isCount(accountId) && isCount(number) && isCount(at) ? { accountId, position: { number, at } } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
