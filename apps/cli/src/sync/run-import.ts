import type { Siteward, Website } from "@siteward/sdk";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import type { Io } from "../process/io.ts";
import { startProgress } from "../progress/start-progress.ts";
import { findByDomains } from "../websites/find-by-domains.ts";
import { carryOut } from "./carry-out.ts";
import { type Change, type Decision, idOf } from "./change.ts";
import { decide } from "./decide.ts";
import type { ImportFile } from "./import-file.ts";
import { importPolicy, type OnConflict } from "./policy.ts";
import { readPasswords } from "./read-passwords.ts";
import type { Result, Verdict } from "./result.ts";
import type { Run } from "./run-all.ts";
import { runChanges } from "./run-changes.ts";
import { splitDuplicates } from "./split-duplicates.ts";

/** How a file is imported. */
export interface ImportMode {
  readonly onConflict: OnConflict;
  readonly isDryRun: boolean;
  /** How many requests are sent at the same time. */
  readonly parallel: number;
  /** The path of the file, for `password_file`. */
  readonly path: string;
}

/**
 * Imports the websites of a file. It first reads which of them exist, so that an import can be repeated after any
 * failure.
 *
 * @returns what became of each website, in the order of the file
 * @throws SitewardError if the account cannot be read; nothing was changed then
 */
export async function runImport(io: Io, siteward: Siteward, file: ImportFile, mode: ImportMode): Promise<Run> {
  const { onConflict, parallel, path } = mode;
  const { unique, repeated } = splitDuplicates(file.entries, file.refused);
  const existing = await readExisting(io, siteward, unique);
  // The password of a website that exists is not needed unless the website is updated.
  const changeable = unique.filter(({ domain }) => onConflict === "update" || !existing.has(domain));
  const { passwords, faults } = await readPasswords(io, path, changeable);
  const policy = importPolicy(onConflict);
  const decisions = unique.map((entry) => {
    const { domain } = entry;
    return decide(entry, { existing: existing.get(domain), policy, passwordFault: faults.get(domain) });
  });
  const run =
    runWithoutChanges(decisions, mode) ??
    (await carryOut(io, { label: "Importing", total: decisions.length }, (live) =>
      runChanges(siteward, decisions, { ...live, policy, passwords, parallel }),
    ));
  const results = [...file.refused, ...repeated, ...run.results];
  return { ...run, results: results.toSorted((one, other) => numberOf(one) - numberOf(other)) };
}

async function readExisting(
  io: Io,
  siteward: Siteward,
  entries: readonly WebsiteEntry[],
): Promise<ReadonlyMap<string, Website>> {
  using progress = startProgress(io, { label: "Reading the account" });
  const domains = new Set(entries.map(({ domain }) => domain));
  return (await findByDomains(siteward, domains, { onRequest: () => progress.advance() })).byDomain;
}

/**
 * Returns the run of an import that changes nothing: `fail` met a website that exists, or it is a dry run. Undefined
 * for others.
 */
function runWithoutChanges(
  decisions: readonly Decision[],
  { onConflict, isDryRun }: Pick<ImportMode, "onConflict" | "isDryRun">,
): Run | undefined {
  const hasConflict = decisions.some((decision) => decision.action === "none" && idOf(decision) !== undefined);
  if (onConflict === "fail" && hasConflict) return finished(decisions, () => ({ outcome: "not_tried" }));
  return isDryRun ? finished(decisions, predict) : undefined;
}

function finished(decisions: readonly Decision[], verdictOf: (change: Change) => Verdict): Run {
  const results = decisions.map((decision) => {
    const { place, domain } = decision;
    return { place, domain, ...(decision.action === "none" ? decision.verdict : verdictOf(decision)) };
  });
  return { results, isInterrupted: false };
}

function predict(change: Change): Verdict {
  return change.action === "create" ? { outcome: "would_create" } : { outcome: "would_update", id: idOf(change) };
}

function numberOf({ place }: Result): number {
  return place?.number ?? 0;
}
