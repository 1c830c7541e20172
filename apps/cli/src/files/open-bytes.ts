import { createReadStream } from "node:fs";
import { CliError } from "../errors/cli-error.ts";
import type { Io } from "../process/io.ts";
import { systemReason } from "../process/system-reason.ts";

/**
 * Reads a file of any size, or standard input if the path is `-`, in chunks.
 *
 * @param signal if it is aborted, reading stops as if the file ended there: a log that still grows has no end
 * @throws CliError `usage` if it cannot be read
 */
export async function* openBytes(io: Io, path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const source = path === "-" ? requirePipe(io) : createReadStream(path);
  const end = (): void => void source.destroy();
  signal.addEventListener("abort", end);
  try {
    for await (const chunk of source) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  } catch (error) {
    if (signal.aborted) return;
    throw new CliError("usage", `Cannot read ${path === "-" ? "standard input" : path}: ${systemReason(error)}.`);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** @throws CliError `usage` if nothing is piped into the command */
export function requirePipe({ stdin }: Io): Io["stdin"] {
  if (stdin.isTTY !== true) return stdin;
  throw new CliError("usage", "The argument - reads standard input, which is a terminal. Use a pipe, or name a file.");
}
