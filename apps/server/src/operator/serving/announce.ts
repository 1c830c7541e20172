import type { Config } from "../../config.ts";
import { isEveryAddress } from "../../connections/listen.ts";
import type { Storage } from "../../storage/interface/storage.ts";
import { operatorAuthor } from "../database/operator-author.ts";
import type { CommandContext } from "../io/command-context.ts";
import { printResult } from "../io/print-result.ts";
import { bootstrap, renderWelcome } from "./bootstrap.ts";
import { renderKeyHelp } from "./key-help.ts";

/** What `start` prints. */
export interface AnnounceOptions {
  readonly bootstrap?: boolean;
  readonly json?: boolean;
  readonly cliCommand: string;
  readonly serverCommand: string;
}

/** What is printed about a server. */
export interface Announcement {
  readonly storage: Storage;
  /** Where it listens. */
  readonly listening: string;
  readonly config: Pick<Config, "host" | "publicUrl" | "databaseUrl">;
}

/**
 * Creates the first account and key if `--bootstrap` is given, and prints where the server listens and how to get a key. Call this once the
 * server listens: if the port were in use, a key that was created but not shown would be lost.
 */
export async function announce(
  context: CommandContext,
  options: AnnounceOptions,
  { storage, listening, config }: Announcement,
): Promise<void> {
  const key = options.bootstrap === true ? await bootstrap(storage, operatorAuthor(context)) : undefined;
  const url = config.publicUrl ?? listening;
  const help =
    key === undefined
      ? renderKeyHelp(await storage.accounts.first(), options.serverCommand, config)
      : renderWelcome({ key, url, cliCommand: options.cliCommand });
  const others = isEveryAddress(config.host) ? " and on all other addresses of this machine" : "";
  printResult(context, options, { url, key: key ?? null }, [
    `Siteward is listening on ${listening}${others}`,
    "",
    ...help,
    "",
  ]);
}
