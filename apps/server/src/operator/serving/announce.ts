import { resolve } from "node:path";
import { apiKeyLength, toKeyPrefix } from "@siteward/contract/api-key";
import type { ChangeAuthor } from "@siteward/service";
import { type Config, settings } from "../../config.ts";
import { isEveryAddress } from "../../door/sockets/listen.ts";
import { quoteForShell } from "../../quote-for-shell.ts";
import type { Storage } from "../../storage/interface/storage.ts";
import { issueApiKey } from "../database/issue-api-key.ts";
import { operatorAuthor } from "../database/operator-author.ts";
import type { CommandContext } from "../io/command-context.ts";
import { findExposure } from "../io/find-exposure.ts";
import { printResult } from "../io/print-result.ts";
import { writePrivateFile } from "../io/write-private-file.ts";

/** What `start` prints. */
export interface AnnounceOptions {
  readonly bootstrap?: boolean;
  /** The file that the first key is written to, instead of standard output. */
  readonly bootstrapKeyFile?: string;
  readonly json?: boolean;
  readonly cliCommand: string;
  readonly serverCommand: string;
}

/** What is printed about a server. */
interface Announcement {
  readonly storage: Storage;
  /** Where it listens. */
  readonly listening: string;
  readonly config: Pick<Config, "host" | "publicUrl" | "databaseUrl" | "trustProxy">;
}

/**
 * Creates the first account and key if `--bootstrap` is given, and prints the URL of the server and how to get a key. Call this
 * once the server listens: if the port were in use, a key that was created but not shown would be lost.
 */
export async function announce(
  context: CommandContext,
  options: AnnounceOptions,
  { storage, listening, config }: Announcement,
): Promise<void> {
  const exposure = findExposure(config);
  if (exposure !== undefined) context.note(`Warning: ${exposure.what} ${exposure.remedy}`);
  const keyFile = options.bootstrapKeyFile === undefined ? undefined : resolve(options.bootstrapKeyFile);
  const key = options.bootstrap === true ? await bootstrap(storage, operatorAuthor(context), keyFile) : undefined;
  const url = config.publicUrl ?? listening;
  const help =
    key === undefined
      ? renderKeyHelp(await storage.accounts.firstId(), options.serverCommand, config)
      : renderWelcome({ key, keyFile, url, cliCommand: options.cliCommand });
  const others = isEveryAddress(config.host) ? " and on all other addresses of this machine" : "";
  const printed = keyFile === undefined || key === undefined ? { key: key ?? null } : { key: null, key_file: keyFile };
  printResult(context, options, { url, ...printed }, [
    `Siteward is listening on ${listening}${others}`,
    "",
    ...help,
    "",
  ]);
}

/**
 * Creates the first account and its key in a database that has no account, and writes the key to the file, if one is named. The
 * key has no rate limit: whoever starts a server tries it with all that they have, and gives their programs keys of their own.
 *
 * @returns the key, or undefined if the database has an account
 */
async function bootstrap(storage: Storage, by: ChangeAuthor, keyFile: string | undefined): Promise<string | undefined> {
  if ((await storage.accounts.firstId()) !== undefined) return undefined;
  if (keyFile === undefined) return (await createFirstKey(storage, by)).key;
  const create = async () => {
    const { accountId, key } = await createFirstKey(storage, by);
    const newKey = `keys create --account ${accountId} --name "first key" --rate-limit none`;
    const next = `Create another key with \`${newKey}\`, and revoke the lost one with \`keys revoke ${toKeyPrefix(key)}\`.`;
    return { line: key, ifUnwritten: `Account ${accountId} and its key exist. ${next}` };
  };
  return writePrivateFile(keyFile, { length: apiKeyLength, create });
}

async function createFirstKey(storage: Storage, by: ChangeAuthor): Promise<{ accountId: number; key: string }> {
  const first = { name: "First account", email: "admin@localhost", websiteLimit: null };
  const { id: accountId } = await storage.accounts.create(first, by);
  const { key } = await issueApiKey(storage, { accountId, name: "first key", rateLimit: 0 }, by);
  return { accountId, key };
}

interface Welcome {
  readonly key: string;
  readonly keyFile: string | undefined;
  readonly url: string;
  readonly cliCommand: string;
}

/**
 * Renders what a new user needs next: the key, and commands that work as pasted. Under a service manager, this text is kept in a
 * log, so it has the key once, or not at all if the key is in a file.
 */
function renderWelcome({ key, keyFile, url, cliCommand }: Welcome): string[] {
  const [shown, value] =
    keyFile === undefined
      ? ["The key is shown only once:", key]
      : [`The key is in the file ${keyFile}:`, `"$(cat ${quoteForShell(keyFile)})"`];
  return [
    `Created the first account and its API key, which has no rate limit. ${shown}`,
    "",
    `  export SITEWARD_API_KEY=${value}`,
    "",
    "Paste this line into another terminal. Then create a website with curl, and list the websites:",
    "",
    `  curl -H "Authorization: Bearer $SITEWARD_API_KEY" -d domain=example.com ${url}/api/v1/websites`,
    `  SITEWARD_BASE_URL=${url} ${cliCommand} websites list`,
  ];
}

/** Renders how to get an API key, which needs an account, since stored keys cannot be shown again. */
function renderKeyHelp(
  accountId: number | undefined,
  serverCommand: string,
  { databaseUrl }: Pick<Config, "databaseUrl">,
): string[] {
  // The URL may contain a password, so it is not printed.
  const where = databaseUrl === settings.DATABASE_URL.default ? "" : " with the same DATABASE_URL";
  const createKey = `  ${serverCommand} keys create --account ${accountId ?? 1} --name "another key"`;
  if (accountId !== undefined) return [`To create another API key, run this${where}:`, "", createKey];
  return [
    `The database has no account, so every request is refused. To create an account and its API key, run this${where}:`,
    "",
    `  ${serverCommand} accounts create --name "First account" --email admin@localhost`,
    createKey.replace("another key", "first key"),
  ];
}
