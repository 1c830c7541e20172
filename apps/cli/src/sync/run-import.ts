import type { Siteward, Website } from "@siteward/sdk";
import { readPassword } from "../entries/read-password.ts";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import type { Io } from "../process/io.ts";
import { announcedInterruption } from "../progress/announced-interruption.ts";
import { startProgress } from "../progress/start-progress.ts";
import { runTasks } from "../tasks/run-tasks.ts";
import { findByDomains } from "../websites/find-by-domains.ts";
import { type Decision, decideImport, type OnConflict } from "./decide-import.ts";
import { type Attempt, importEntry } from "./import-entry.ts";
import type { ImportResult, Verdict } from "./import-result.ts";
import type { ImportFile } from "./read-import-file.ts";
import { splitDuplicates } from "./split-duplicates.ts";

/** How a file is imported. */
export interface ImportMode {
  readonly onConflict: OnConflict;
  readonly isDryRun: boolean;
  /** How many requests are sent at the same time. */
  readonly parallel: number;
  /** The folder of the file, for `password_file`. */
  readonly folder: string;
}

/** What became of the websites of a file, and what ended the import early. */
export interface ImportRun {
  /** In the order of the file. */
  readonly results: readonly ImportResult[];
  /** The error after which no other website was tried. */
  readonly stop?: unknown;
  readonly isInterrupted: boolean;
}

/** An entry with what was decided for it. */
interface DecidedEntry {
  readonly entry: WebsiteEntry;
  readonly decision: Decision;
}

/**
 * Imports the websites of a file. It first reads which of them exist, so that an import can be repeated after any failure.
 *
 * @throws SitewardError if the account cannot be read; nothing was changed then
 */
export async function runImport(io: Io, siteward: Siteward, file: ImportFile, mode: ImportMode): Promise<ImportRun> {
  const { unique, repeated } = splitDuplicates(file.entries);
  const existing = await readExisting(io, siteward, unique);
  const decided: DecidedEntry[] = [];
  for (const entry of unique) {
    decided.push({ entry, decision: await decide(io, entry, { mode, existing: existing.get(entry.domain) }) });
  }
  const run = await carryOut(io, siteward, decided, mode);
  const results = [...file.refused, ...repeated, ...run.results];
  return { ...run, results: results.toSorted((one, other) => one.place.number - other.place.number) };
}

async function carryOut(
  io: Io,
  siteward: Siteward,
  decided: readonly DecidedEntry[],
  mode: ImportMode,
): Promise<ImportRun> {
  const hasConflict = decided.some(({ decision }) => decision.action === "none" && decision.verdict.id !== undefined);
  if (mode.onConflict === "fail" && hasConflict) return finished(decided.map(stopBeforeAnything));
  if (mode.isDryRun) return finished(decided.map(({ entry, decision }) => resultOf(entry, predict(decision))));
  return await importAll(io, siteward, decided, mode);
}

async function readExisting(
  io: Io,
  siteward: Siteward,
  entries: readonly WebsiteEntry[],
): Promise<ReadonlyMap<string, Website>> {
  using progress = startProgress(io, { label: "Reading the account" });
  const domains = new Set(entries.map(({ domain }) => domain));
  return await findByDomains(siteward, domains, () => progress.advance());
}

async function decide(
  { env }: Io,
  entry: WebsiteEntry,
  { mode, existing }: { readonly mode: ImportMode; readonly existing: Website | undefined },
): Promise<Decision> {
  const { onConflict, folder } = mode;
  // The password of a website that exists is not needed unless the website is updated.
  const isNeeded = existing === undefined || onConflict === "update";
  const source = isNeeded ? entry.password : undefined;
  const password = source === undefined ? undefined : await readPassword(source, { env, folder });
  return decideImport(entry, { existing, onConflict, password });
}

function finished(results: readonly ImportResult[]): ImportRun {
  return { results, isInterrupted: false };
}

function resultOf({ place, domain }: WebsiteEntry, verdict: Verdict): ImportResult {
  return { place, domain, ...verdict };
}

function predict(decision: Decision): Verdict {
  if (decision.action === "none") return decision.verdict;
  return decision.action === "create" ? { outcome: "would_create" } : { outcome: "would_update", id: decision.id };
}

function stopBeforeAnything({ entry, decision }: DecidedEntry): ImportResult {
  return resultOf(entry, decision.action === "none" ? decision.verdict : { outcome: "not_tried" });
}

async function importAll(
  io: Io,
  siteward: Siteward,
  decided: readonly DecidedEntry[],
  { parallel, onConflict }: ImportMode,
): Promise<ImportRun> {
  using progress = startProgress(io, { label: "Importing", total: decided.length });
  using takeover = announcedInterruption(io).takeOver();
  const { signal } = takeover;
  const results: ImportResult[] = [];
  let stop: unknown;
  const accept = ({ entry }: DecidedEntry, attempt: Attempt): "stop" | undefined => {
    progress.advance();
    results.push(resultOf(entry, attempt.verdict));
    stop ??= attempt.stop;
    return stop === undefined ? undefined : "stop";
  };
  const run = ({ decision }: DecidedEntry): Promise<Attempt> => importEntry(siteward, decision, { onConflict, signal });
  const { notStarted } = await runTasks(decided, { parallel, signal }, run, accept);
  results.push(...notStarted.map(({ entry }) => resultOf(entry, { outcome: "not_tried" })));
  return { results, stop, isInterrupted: signal.aborted };
}
