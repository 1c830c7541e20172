import type { ChangeAuthor } from "@siteward/service";
import type { Storage } from "../../storage/interface/storage.ts";
import { issueApiKey } from "../database/issue-api-key.ts";

/**
 * Creates the first account and its key in a database that has no account.
 *
 * @returns the key, or undefined if the database has an account
 */
export async function bootstrap(storage: Storage, by: ChangeAuthor): Promise<string | undefined> {
  if ((await storage.accounts.first()) !== undefined) return undefined;
  const first = { name: "First account", email: "admin@localhost", websiteLimit: null };
  const account = await storage.accounts.create(first, by);
  const { key } = await issueApiKey(storage, { accountId: account.id, name: "first key" }, by);
  return key;
}

/** Renders what a new user needs next: the key, and two commands that work as pasted. */
export function renderWelcome(welcome: { key: string; url: string; cliCommand: string }): string[] {
  const { key, url, cliCommand } = welcome;
  return [
    "Created the first account and its API key. The key is shown only once:",
    "",
    `  ${key}`,
    "",
    "Create a website with curl, then list the websites in the terminal:",
    "",
    `  curl -H "Authorization: Bearer ${key}" -d domain=example.com ${url}/api/v1/websites`,
    `  SITEWARD_API_KEY=${key} SITEWARD_BASE_URL=${url} ${cliCommand} websites list`,
  ];
}
