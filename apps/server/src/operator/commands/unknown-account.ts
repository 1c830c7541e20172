import { UsageError } from "../io/command-error.ts";

/** Returns the error for an ID that no account has. */
export function unknownAccount(id: number): UsageError {
  return new UsageError(`Account ${id} does not exist. Use \`accounts list\` to see all accounts.`);
}
