import { readFile, stat } from "node:fs/promises";
import type { Parsed } from "@siteward/contract/website-settings";
import { systemReason } from "../process/system-reason.ts";
import { decodeText } from "./decode-text.ts";
import { maxTextBytes } from "./read-text.ts";

/**
 * Reads a file that is to be replaced. A pipe or a device is never read.
 *
 * @returns undefined if there is no file; a reason if it cannot be read, or is larger than any text that a command
 *   reads. Such a file can be replaced nevertheless.
 */
export async function readEarlierFile(path: string): Promise<Parsed<string> | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  if (found.size > maxTextBytes) return { ok: false, reason: "is too large" };
  return await readFile(path).then(decodeText, (error: unknown) => ({ ok: false, reason: systemReason(error) }));
}
