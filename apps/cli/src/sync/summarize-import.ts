import { safeText } from "../output/safe-text.ts";
import type { ImportResult } from "./import-result.ts";
import { type Outcome, outcomes } from "./outcome.ts";

/** How many websites that went wrong are printed for people. A program gets all of them. */
const maxShown = 50;

/** Counts the outcomes in one line: "10,500 websites: 9,998 created, 2 skipped, 500 refused." */
export function summarize(results: readonly ImportResult[]): string {
  const counts = countOutcomes(results);
  // Object.keys returns strings. These are the names of the outcomes.
  const parts = (Object.keys(outcomes) as Outcome[]).flatMap((outcome) => {
    const count = counts.get(outcome);
    return count === undefined ? [] : [`${format(count)} ${outcomes[outcome]}`];
  });
  return `${format(results.length)} ${results.length === 1 ? "website" : "websites"}: ${parts.join(", ")}.`;
}

/** Formats for people what went wrong, one line for each website. */
export function reportImport(results: readonly ImportResult[]): string {
  const wrong = results.filter(({ outcome }) => outcome === "refused" || outcome === "failed");
  const lines = wrong.slice(0, maxShown).map(describeResult);
  if (wrong.length > maxShown) lines.push(`and ${format(wrong.length - maxShown)} more`);
  return lines.map((line) => `${line}\n`).join("");
}

function describeResult({ place, domain, reason = "" }: ImportResult): string {
  const name = domain === undefined ? "" : `${safeText(domain)}: `;
  return `${place.unit} ${place.number}: ${name}${safeText(reason)}`;
}

function countOutcomes(results: readonly ImportResult[]): ReadonlyMap<Outcome, number> {
  const counts = new Map<Outcome, number>();
  for (const { outcome } of results) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return counts;
}

function format(count: number): string {
  return count.toLocaleString("en-US");
}
