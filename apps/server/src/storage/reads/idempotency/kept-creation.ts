import type { Website } from "@siteward/contract";
import type { Created } from "@siteward/service";

/** A creation as it is kept for its idempotency key: the record as it was created, whatever happened to it since. */
export interface KeptCreation {
  readonly id: number;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly settings: Omit<Website, "id" | "created_at" | "updated_at">;
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
