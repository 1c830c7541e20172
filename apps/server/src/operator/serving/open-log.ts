import type { Config } from "../../config.ts";
import { createLog, type Log } from "../../log.ts";
import type { CommandContext } from "../io/command-context.ts";

/**
 * Opens the log of a process, in the format that the settings name.
 *
 * @param options.isShared other processes write to the same place
 */
export function openLog(
  { log, isLogOnTerminal }: CommandContext,
  { logLevel, logFormat }: Pick<Config, "logLevel" | "logFormat">,
  { isShared }: { readonly isShared: boolean },
): Log {
  const isText = logFormat === "text" || (logFormat === "auto" && isLogOnTerminal);
  return createLog(logLevel, log, { isShared, isText });
}
