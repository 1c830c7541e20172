import type { Storage } from "../../storage/storage.ts";
import type { CommandContext } from "../io/command-context.ts";
import { printResult } from "../io/print-result.ts";
import { bootstrap, renderWelcome } from "./bootstrap.ts";

/** What `start` prints. */
export interface AnnounceOptions {
  readonly bootstrap?: boolean;
  readonly json?: boolean;
  readonly cliCommand: string;
}

/** What is printed about a server. */
export interface Announcement {
  readonly storage: Storage;
  /** Where it listens. */
  readonly listening: string;
  /** The URL at which clients reach it, if that differs. */
  readonly publicUrl: string | undefined;
}

/**
 * Creates the first account and key if `--bootstrap` is given, and prints where the server listens. Call this once the
 * server listens: if the port were in use, a key that was created but not shown would be lost.
 */
export async function announce(
  context: CommandContext,
  options: AnnounceOptions,
  { storage, listening, publicUrl }: Announcement,
): Promise<void> {
  const key = options.bootstrap === true ? await bootstrap(storage) : undefined;
  const url = publicUrl ?? listening;
  const welcome = key === undefined ? [] : renderWelcome({ key, url, cliCommand: options.cliCommand });
  printResult(context, options, { url, key: key ?? null }, [`Siteward is listening on ${listening}`, ...welcome]);
}
