import type { Website } from "@siteward/sdk";
import { InvalidArgumentError } from "commander";
import { privacyNames } from "../output/website-view.ts";
import { isWholeNumber } from "./is-whole-number.ts";

/** Parses a page number or a count. */
export function parseWholeNumber(text: string): number {
  if (isWholeNumber(text)) return Number(text);
  throw new InvalidArgumentError("Use a whole number, 1 or higher.");
}

/** Parses a value of `privacy`, given by its name or number (docs/interface.md, section 3). */
export function parsePrivacy(text: string): Website["privacy"] {
  const lowered = text.toLowerCase();
  const found = Object.entries(privacyNames).find(([level, name]) => lowered === name || text === level);
  // The keys of the names are the values of the field.
  if (found !== undefined) return Number(found[0]) as Website["privacy"];
  throw new InvalidArgumentError("Use public (0), private (1) or password (2).");
}

/** Parses a setting that is on or off. */
export function parseSwitch(text: string): 0 | 1 {
  const lowered = text.toLowerCase();
  if (lowered === "on" || lowered === "1") return 1;
  if (lowered === "off" || lowered === "0") return 0;
  throw new InvalidArgumentError("Use on (1) or off (0).");
}

/** Parses a list and appends it to the entries of earlier uses of the same flag. An empty string appends nothing. */
export function collectEntries(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, ...splitEntries(text)];
}

/** Splits a list that is comma-separated or has one entry per line, and ignores whitespace around entries. */
export function splitEntries(text: string): string[] {
  return text.split(/[\r\n,]/).flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]));
}
