import { toCanonicalDomain } from "@siteward/sdk";
import { digits, say } from "../words/text.ts";
import { hostOf } from "./websites.ts";

/** A line of the list of domains, and what happens with it. */
export interface Row {
  readonly line: number;
  readonly text: string;
  /** The canonical domain. Empty if the line is none. */
  readonly domain: string;
  readonly state: typeof toBeAdded | "Exists already" | "Twice in the list" | "Not a domain";
  readonly note: string;
}

export const toBeAdded = "Will be added";

/** For more, the terminal tool is better: it reads files, and goes on where it was stopped. */
export const maxRows = 5_000;

/** How many lines a text has, without reading them: 100,000 would take seconds. */
export const countLines = (text: string) => text.trim().split("\n").length;

/** Reads domains, and URLs of pages too, one on each line, or with commas or the tabs of a spreadsheet between them. */
export function readRows(text: string, isTaken: (domain: string) => boolean): Row[] {
  const seen = new Set<string>();
  const lines = text
    .split("\n")
    .map((parts, at) => parts.split(/[,;\t]/).map((part) => ({ line: at + 1, text: part.trim() })));
  return lines
    .flat()
    .filter(({ text }) => text !== "")
    .map((part): Row => {
      try {
        const domain = toCanonicalDomain(hostOf(part.text));
        const state = seen.has(domain) ? "Twice in the list" : isTaken(domain) ? "Exists already" : toBeAdded;
        seen.add(domain);
        return { ...part, domain, state, note: "" };
      } catch (error) {
        return { ...part, domain: "", state: "Not a domain", note: say(error) };
      }
    });
}

/** Such as `Will be added: 300, public · Not a domain: 1`. */
export function countRows(rows: readonly Row[], privacy: 0 | 1 | 2): string {
  const visible = [", public", ", private", ", with a password"][privacy];
  const states = [...Map.groupBy(rows, ({ state }) => state)];
  const counts = states.map(
    ([state, { length }]) => `${state}: ${digits(length)}${state === toBeAdded ? visible : ""}`,
  );
  return counts.join(" · ");
}
