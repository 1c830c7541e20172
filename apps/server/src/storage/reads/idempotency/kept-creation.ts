import type { Website } from "@siteward/contract";
import type { Created } from "@siteward/service";
import { toVersionedWebsite, type UnassignedRow } from "../../changes/websites/website-row.ts";

/** A creation as it is kept for its idempotency key: the record as it was created, whatever happened to it since. */
export interface KeptCreation {
  readonly id: number;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly settings: Omit<Website, "id" | "created_at" | "updated_at">;
}

/** Returns what is kept of a creation besides what the account assigns. */
export function keptSettings(row: UnassignedRow): KeptCreation["settings"] {
  const { website } = toVersionedWebsite({ ...row, id: 0, created_at: 0, updated_at: 0 });
  const { id: _, created_at: __, updated_at: ___, ...settings } = website;
  return settings;
}

/** Returns the record that was created. */
export function replayCreation({ id, at, settings }: KeptCreation): Created {
  const createdAt = new Date(at).toISOString();
  return {
    website: { id, ...settings, created_at: createdAt, updated_at: createdAt },
    version: 1,
    isReplay: true,
  };
}
