import type { StoredApiKey } from "../../storage/interface/storage.ts";
import { UsageError } from "../io/command-error.ts";

/** Returns the error for a prefix that no key has. */
export function unknownKey(prefix: string): UsageError {
  return new UsageError(`No API key has the prefix ${JSON.stringify(prefix)}. Use \`keys list\` to see all keys.`);
}

/** @throws UsageError if the key is revoked, which is permanent */
export function requireUnrevoked({ prefix, revokedAt }: StoredApiKey): void {
  if (revokedAt === null) return;
  throw new UsageError(
    `The API key ${prefix} was revoked at ${revokedAt.toISOString()} and cannot be changed. ` +
      "Create a key with `keys create`.",
  );
}
