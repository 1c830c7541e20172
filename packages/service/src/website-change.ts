import { findPasswordFault, type updateWebsiteBody, type Website } from "@siteward/contract";
import { validationFailed } from "./refusals.ts";
import type { WebsiteChange } from "./storage.ts";

/** The validated body of an update. */
type UpdateBody = ReturnType<typeof updateWebsiteBody.parse>;

/**
 * Decides what an update changes in a record.
 *
 * @param passwordHash the hash of the password in the body; undefined to judge the password before it is hashed
 * @throws AppError `validation_failed` if its password does not suit the record
 */
export function decideUpdate(current: Website, body: UpdateBody, passwordHash: string | undefined): WebsiteChange {
  const { password, domain: _, ...sent } = body;
  const privacy = sent.privacy ?? current.privacy;
  const fault = findPasswordFault({ privacy, password, hasStoredPassword: current.has_password });
  if (fault !== undefined) throw validationFailed({ password: [fault] });
  const change: WebsiteChange = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  if (passwordHash !== undefined) return { ...change, passwordHash };
  return current.has_password && privacy !== 2 ? { ...change, passwordHash: null } : change;
}

/** Returns a record after a change. */
export function applyChange(
  current: Website,
  { passwordHash, ...settings }: WebsiteChange,
  updatedAtMs: number,
): Website {
  const hasPassword = passwordHash === undefined ? current.has_password : passwordHash !== null;
  return { ...current, ...settings, has_password: hasPassword, updated_at: new Date(updatedAtMs).toISOString() };
}

/** Returns the time of a change. It never decreases, even if the clock goes backwards. */
export function notBefore({ updated_at }: Website, now: number): number {
  return Math.max(now, Date.parse(updated_at));
}

/** Whether a change alters a record. A new hash is always different, since its salt is. */
export function isDifferent(current: Website, { passwordHash, ...settings }: WebsiteChange): boolean {
  if (passwordHash === null ? current.has_password : passwordHash !== undefined) return true;
  // The casts below are safe: every setting is a field of the record.
  const names = Object.keys(settings) as (keyof typeof settings)[];
  return names.some((name) => settings[name] !== undefined && !isSameValue(settings[name], current[name]));
}

/** Compares two values of a field: strings, numbers, booleans, null, or lists of these. */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return left === right;
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}
