import { isApiError, toCanonicalDomain } from "@siteward/sdk";
import type { Outcome } from "@siteward/sdk/bulk";
import { say } from "../words/text.ts";

/** A line of the list of domains, and what happens with it. */
export interface Row {
  readonly line: number;
  readonly text: string;
  /** The canonical domain. Empty if the line is none. */
  readonly domain: string;
  readonly state: keyof typeof stateLabels;
  readonly note: string;
}

export const stateLabels = {
  added: "Added",
  new: "Will be added",
  exists: "Exists already",
  twice: "Twice in the list",
  invalid: "Not a domain",
  failed: "Not added",
  left: "Not added yet",
  unknown: "Not known",
} as const;

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
        const domain = toCanonicalDomain(/^https?:\/\/[^/]/i.test(part.text) ? new URL(part.text).hostname : part.text);
        const state = seen.has(domain) ? "twice" : isTaken(domain) ? "exists" : "new";
        seen.add(domain);
        return { ...part, domain, state, note: "" };
      } catch (error) {
        return { ...part, domain: "", state: "invalid", note: say(error) };
      }
    });
}

/** Returns rows with what became of them. One whose website could still be added is to be tried again. */
export function withOutcomes(rows: readonly Row[], outcomes: readonly Outcome[]): Row[] {
  const byDomain = new Map(outcomes.map((outcome) => [outcome.change.domain, toResult(outcome)]));
  return rows.map((row) => (isOpen(row) ? { ...row, ...byDomain.get(row.domain) } : row));
}

/** Whether the website is to be added. */
export const isOpen = ({ state }: Row): boolean => ["new", "left", "unknown"].includes(state);

function toResult({ state, error }: Outcome): Pick<Row, "state" | "note"> | undefined {
  if (state === "not_tried") return undefined;
  if (state === "changed") return { state: "added", note: "" };
  if (state === "unknown") return { state, note: "the answer was lost. Add it again to find out." };
  if (state === "failed") return { state: "left", note: say(error) };
  return { state: isApiError(error, "domain_taken") ? "exists" : "failed", note: say(error) };
}

/** Such as `Will be added: 300, public · Not a domain: 1`. */
export function countRows(rows: readonly Row[], privacy: 0 | 1 | 2): string {
  const visible = [", public", ", private", ", with a password"][privacy];
  // The cast is safe: these are the keys of the object.
  const states = Object.keys(stateLabels) as Row["state"][];
  const counts = states.map((state) => [state, rows.filter((row) => row.state === state).length] as const);
  return counts
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${stateLabels[state]}: ${count.toLocaleString("en")}${state === "new" ? visible : ""}`)
    .join(" · ");
}
