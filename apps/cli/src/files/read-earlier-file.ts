import { readFile, stat } from "node:fs/promises";
import type { Parsed } from "@siteward/contract/website-settings";
import { decodeText } from "./decode-text.ts";
import { maxTextBytes } from "./read-text.ts";

/**
 * Reads a file that is to be replaced. A pipe or a device is never read.
 *
 * @returns undefined if there is no file, and if it is larger than any text that a command reads. Whoever cannot read it
 *   learns that when it is written.
 */
export async function readEarlierFile(path: string): Promise<Parsed<string> | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true || found.size > maxTextBytes) return undefined;
  const bytes = await readFile(path).catch(() => undefined);
  return bytes && decodeText(bytes);
}
