import type { Website } from "@siteward/sdk";
import { InvalidArgumentError } from "commander";
import { privacyNames } from "./privacy.ts";

/** Reads a website's id. */
export function parseId(text: string): number {
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError("An id is a whole number from 1.");
}

/** Reads one more id of many. */
export function collectIds(text: string, earlier: readonly number[] = []): readonly number[] {
  return [...earlier, parseId(text)];
}

/** Reads a number of pages or records. */
export function parseCount(text: string): number {
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError("Give a whole number from 1.");
}

/** Reads a level of privacy by name or number (docs/interface.md, section 3). */
export function parsePrivacy(text: string): Website["privacy"] {
  const found = Object.entries(privacyNames).find(
    ([name, level]) => text.toLowerCase() === name || text === `${level}`,
  );
  if (found !== undefined) return found[1];
  throw new InvalidArgumentError("Allowed: public (0), private (1), password (2).");
}

/** Reads a switch. */
export function parseSwitch(text: string): 0 | 1 {
  const lowered = text.toLowerCase();
  if (lowered === "on" || lowered === "1") return 1;
  if (lowered === "off" || lowered === "0") return 0;
  throw new InvalidArgumentError("Allowed: on (1), off (0).");
}

/** Reads entries between commas or line breaks, after those of the same flag before. An empty text adds none. */
export function collectEntries(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...splitEntries(text)];
}

/** Takes a text of entries apart: one per line or between commas; white space around them does not count. */
export function splitEntries(text: string): readonly string[] {
  return text.split(/[\r\n,]/).flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]));
}
