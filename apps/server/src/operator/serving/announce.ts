import type { Storage } from "../../storage/storage.ts";
import type { CommandContext } from "../io/command-context.ts";
import { printResult } from "../io/print-result.ts";
import { bootstrap, renderWelcome } from "./bootstrap.ts";

/** What `start` is asked to print. */
export interface AnnounceOptions {
  readonly bootstrap?: boolean;
  readonly json?: boolean;
  readonly cliCommand: string;
}

/** What is told of a server. */
export interface Announcement {
  readonly storage: Storage;
  /** Where it listens. */
  readonly listening: string;
  /** Under which URL clients know it, if that is another. */
  readonly publicUrl: string | undefined;
}

/**
 * Makes the first account and key where that is asked for, and tells where the server listens. Only once it listens: a
 * key that was made but not shown, because the port was in use, would be lost.
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
