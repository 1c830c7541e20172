import { open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { ChangeAuthor } from "@siteward/service";
import type { Config } from "../../config.ts";
import { findExposure, isEveryAddress } from "../../door/listen.ts";
import { findProgram, quoteForShell } from "../../own-programs.ts";
import type { Storage } from "../../storage/interface/storage.ts";
import { generateApiKey, issueApiKeys } from "../api-keys.ts";
import { type CommandContext, CommandError } from "../command.ts";
import { operatorAuthor } from "../database.ts";
import { printResult } from "../output.ts";

/** What `start` prints. */
export interface AnnounceOptions {
  readonly bootstrap?: boolean;
  /** The file that the first key is written to, instead of standard output. */
  readonly bootstrapKeyFile?: string;
  readonly json?: boolean;
}

/**
 * Creates the first account and key if `--bootstrap` is given, and prints the URL of the server and how to get a key. Call this
 * once the server listens: if the port were in use, a key that was created but not shown would be lost.
 */
export async function announce(
  context: CommandContext,
  options: AnnounceOptions,
  { storage, listening, config }: Readonly<{ storage: Storage; listening: string; config: Config }>,
): Promise<void> {
  const exposure = findExposure(config);
  if (exposure !== undefined) context.note(`Warning: ${exposure.what} ${exposure.remedy}`);
  const keyFile = options.bootstrapKeyFile === undefined ? undefined : resolve(options.bootstrapKeyFile);
  const key = options.bootstrap === true ? await bootstrap(storage, operatorAuthor(), keyFile) : undefined;
  const url = config.publicUrl ?? listening;
  const help =
    key === undefined
      ? renderKeyHelp(await storage.accounts.firstId(), config.databaseUrl)
      : renderWelcome(key, keyFile, url);
  const others = isEveryAddress(config.host) ? " and on all other addresses of this machine" : "";
  const printed = keyFile === undefined || key === undefined ? { key: key ?? null } : { key: null, key_file: keyFile };
  printResult(context, options, { url, ...printed }, [
    `Siteward is listening on ${listening}${others}`,
    ...(config.pages ? [`Manage websites in a browser: ${url}/console`] : []),
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
  const generated = generateApiKey();
  const store = async () => {
    const first = { name: "First account", email: "admin@localhost", websiteLimit: null };
    const [{ id: accountId }] = await storage.accounts.createAll([first], by);
    await issueApiKeys(storage, [{ generated, accountId, name: "first key", rateLimit: 0 }], by);
  };
  await (keyFile === undefined ? store() : writePrivateFile(keyFile, generated.key, store));
  return generated.key;
}

/**
 * Writes a secret to a new file that only its owner can read, as one line. `store` makes the secret valid, once it is on the disk:
 * if the disk is full, nothing is stored. If writing or storing fails, the file is removed.
 *
 * @throws CommandError if the file exists, or cannot be written
 */
async function writePrivateFile(path: string, line: string, store: () => Promise<void>): Promise<void> {
  const fail = ({ code, message }: Error & { readonly code?: string }) => {
    if (code !== "EEXIST") throw new CommandError(`The file ${path} could not be written: ${message}.`);
    const what = `The file ${path} exists, and is never overwritten. Name a file that does not exist.`;
    throw new CommandError(`${what} If a start that was killed left it, its key does not work: delete it.`);
  };
  const file = await open(path, "wx", 0o600).catch(fail);
  try {
    await file.writeFile(`${line}\n`).catch(fail);
    await file.sync().catch(fail);
    await store();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Renders what a new user needs next: the key, and commands that work as pasted. Under a service manager, this text is kept in a
 * log, so it has the key once, or not at all if the key is in a file.
 */
function renderWelcome(key: string, keyFile: string | undefined, url: string): string[] {
  const cli = findProgram("cli");
  const value = keyFile === undefined ? key : `"$(cat ${quoteForShell(keyFile)})"`;
  const where = keyFile === undefined ? "The key is shown only once." : `The key is in the file ${keyFile}.`;
  const then = cli === undefined ? "create a website" : "create a website, and list the websites";
  return [
    `Created the first account and its API key, which has no rate limit. ${where}`,
    `Paste these lines into another terminal. They set the key, ${then}:`,
    "",
    `  export SITEWARD_API_KEY=${value}`,
    `  curl -H "Authorization: Bearer $SITEWARD_API_KEY" -d domain=example.com ${url}/api/v1/websites`,
    ...(cli === undefined ? [] : [`  SITEWARD_BASE_URL=${url} ${cli} websites list`]),
  ];
}

/** Renders how to get an API key, which needs an account, since stored keys cannot be shown again. */
function renderKeyHelp(accountId: number | undefined, databaseUrl: string): string[] {
  const server = findProgram("server") ?? "siteward-server";
  // Another URL may contain a password, so it is not printed.
  const isFile = databaseUrl.startsWith("file:");
  const where = isFile ? "" : " with the same DATABASE_URL";
  const database = isFile
    ? ` --database-url ${quoteForShell(`file:${resolve(databaseUrl.slice("file:".length))}`)}`
    : "";
  const createKey = `  ${server} keys create --account ${accountId ?? 1} --name "another key"${database}`;
  if (accountId !== undefined) return [`To create another API key, run this${where}:`, "", createKey];
  return [
    `The database has no account, so every request is refused. To create an account and its API key, run this${where}:`,
    "",
    `  ${server} accounts create --name "First account" --email admin@localhost${database}`,
    createKey.replace("another key", "first key"),
  ];
}
