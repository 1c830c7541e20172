import type { Account } from "@siteward/contract";
import type { Digest } from "../digest.ts";

/** 22 characters contain 132 bits. */
const digestLength = 22;

/**
 * Returns the weak entity tag of an account, which is the same only for the same state. The time of the last use of the API
 * key is not part of it. Otherwise every read would change it.
 */
export function accountTag(account: Account, digest: Digest): string {
  const state = JSON.stringify({ ...account, api_key: { ...account.api_key, last_used_at: undefined } });
  return `W/"${digest(state).slice(0, digestLength)}"`;
}
