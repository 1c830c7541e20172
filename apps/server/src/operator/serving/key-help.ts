import type { StoredAccount } from "@siteward/service";
import { type Config, settings } from "../../config.ts";

/** Renders how to get an API key, which needs an account, since stored keys cannot be shown again. */
export function renderKeyHelp(
  account: Pick<StoredAccount, "id"> | undefined,
  serverCommand: string,
  { databaseUrl }: Pick<Config, "databaseUrl">,
): string[] {
  // The URL may contain a password, so it is not printed.
  const where = databaseUrl === settings.DATABASE_URL.default ? "" : " with the same DATABASE_URL";
  const createKey = `  ${serverCommand} keys create --account ${account?.id ?? 1} --name "another key"`;
  if (account !== undefined) return [`To create another API key, run this${where}:`, "", createKey];
  return [
    `The database has no account, so every request is refused. To create an account and its API key, run this${where}:`,
    "",
    `  ${serverCommand} accounts create --name "First account" --email admin@localhost`,
    createKey.replace("another key", "first key"),
  ];
}
