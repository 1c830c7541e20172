import { type Io, writeText } from "../process/io.ts";
import { chooseFormat, isJsonFormat } from "./formats.ts";
import { jsonText } from "./json.ts";
import type { OutputFlags } from "./output.ts";
import { safeText } from "./safe-text.ts";

/** Tells people something beside the result, on stderr, where one is looking. */
export async function note(io: Io, text: string): Promise<void> {
  if (io.stderr.isTTY === true) await writeText(io.stderr, `${safeText(text)}\n`);
}

/** Warns of a danger, on stderr, whoever is looking: a line of JSON where the result is JSON. */
export async function warn(io: Io, flags: OutputFlags, text: string): Promise<void> {
  const isJson = isJsonFormat(chooseFormat(flags.output, io.stdout.isTTY === true));
  await writeText(io.stderr, isJson ? `${jsonText({ warning: { message: text } })}\n` : `Warning: ${safeText(text)}\n`);
}
