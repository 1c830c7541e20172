import { isDeepStrictEqual } from "node:util";
import type { Siteward } from "@siteward/sdk";
import type { WebsiteEntry } from "../files/entry.ts";
import { readPasswords } from "../files/passwords.ts";
import type { WebsiteFile } from "../files/read-websites.ts";
import { startProgress } from "../output/progress.ts";
import type { Io } from "../process/io.ts";
import { type FoundWebsites, findByDomains } from "../websites/find-by-domains.ts";
import { type Decision, decide, idOf } from "./decide.ts";
import { importPolicy, type OnConflict } from "./policy.ts";
import { placeText } from "./problems.ts";
import type { Result, Verdict } from "./result.ts";
import { type Run, run } from "./run.ts";

/** How a file is imported. */
export interface ImportMode {
  readonly onConflict: OnConflict;
  readonly isDryRun: boolean;
  /** The path of the file, for `password_file`. */
  readonly path: string;
  /** The level of new websites for which the file states none; undefined if they are public. */
  readonly privacy: number | undefined;
  /** Asks whether to create so many public websites for which the file states no level. */
  readonly confirmPublic?: ((count: number) => Promise<boolean>) | undefined;
}

/**
 * Imports the websites of a file. It first reads which of them exist, so that an import can be repeated after any
 * failure.
 *
 * @returns what became of each website, in the order of the file; undefined if the person did not confirm it
 * @throws SitewardError if the account cannot be read; nothing was changed then
 */
export async function importFile(
  io: Io,
  siteward: Siteward,
  file: WebsiteFile,
  mode: ImportMode,
): Promise<Run | undefined> {
  const { onConflict, path, confirmPublic } = mode;
  const refused = file.refused.map((website): Result => ({ ...website, outcome: "refused" }));
  const { unique, repeated } = splitDuplicates(file.entries, refused);
  const existing = await readExisting(io, siteward, unique);
  // The password of a website that exists is not needed unless the website is updated.
  const changeable = unique.filter(({ domain }) => onConflict === "update" || !existing.has(domain));
  const { passwords, faults } = await readPasswords(io, path, changeable);
  const policy = importPolicy(onConflict);
  const decisions = unique.map((entry) => {
    const { domain } = entry;
    return decide(existing.has(domain) ? entry : withPrivacy(entry, mode), {
      existing: existing.get(domain),
      policy,
      passwordFault: faults.get(domain),
    });
  });
  const settled = settleWithoutChanges(decisions, mode);
  const count = decisions.filter(isPublicUnstated).length;
  if (settled === undefined && count > 0 && confirmPublic !== undefined && !(await confirmPublic(count)))
    return undefined;
  const done = settled ?? (await run(io, siteward, decisions, { label: "Importing", policy, passwords }));
  const results = [...refused, ...repeated, ...done.results];
  return { ...done, results: results.toSorted((one, other) => numberOf(one) - numberOf(other)) };
}

/** The entries to import, and the results of those whose domain is in the file twice. */
interface SplitEntries {
  readonly unique: readonly WebsiteEntry[];
  readonly repeated: readonly Result[];
}

/**
 * Splits off each entry whose domain is on another line: skipped if an earlier one states the same, refused if it states other
 * settings. It is also refused if a line of its domain was: that one may say that the website is private, and this one that it is
 * public, because it says nothing.
 */
function splitDuplicates(entries: readonly WebsiteEntry[], refused: readonly Result[]): SplitEntries {
  const refusedPlaces = new Map(refused.map(({ domain, place }) => [domain, place]));
  const first = new Map<string, WebsiteEntry>();
  const repeated: Result[] = [];
  for (const entry of entries) {
    const { domain, place } = entry;
    const [refusedPlace, earlier] = [refusedPlaces.get(domain), first.get(domain)];
    if (refusedPlace !== undefined) {
      const reason = `is also on ${placeText(refusedPlace)}, which is refused; fix that line, or remove one of the two`;
      repeated.push({ place, domain, outcome: "refused", reason });
    } else if (earlier === undefined) first.set(domain, entry);
    else {
      const reason = `is also on ${placeText(earlier.place)}`;
      const isSame = isDeepStrictEqual([entry.settings, entry.password], [earlier.settings, earlier.password]);
      const other = `${reason}, with other settings; remove one of the two`;
      repeated.push({
        place,
        domain,
        ...(isSame ? { outcome: "skipped", reason } : { outcome: "refused", reason: other }),
      });
    }
  }
  return { unique: [...first.values()], repeated };
}

async function readExisting(
  io: Io,
  siteward: Siteward,
  entries: readonly WebsiteEntry[],
): Promise<FoundWebsites["byDomain"]> {
  if (entries.length === 0) return new Map();
  using progress = startProgress(io, { label: "Reading the account" });
  const domains = new Set(entries.map(({ domain }) => domain));
  return (await findByDomains(siteward, domains, () => progress.advance())).byDomain;
}

/** Returns a new website with the level of the command line, if the file states none. */
function withPrivacy(entry: WebsiteEntry, { privacy }: Pick<ImportMode, "privacy">): WebsiteEntry {
  if (privacy === undefined) return entry;
  // The flag accepts only the levels of the setting.
  return { ...entry, settings: { privacy, ...entry.settings } as WebsiteEntry["settings"] };
}

/** Whether a website will be public because nobody has stated who can see it. */
function isPublicUnstated(decision: Decision): boolean {
  return decision.action === "create" && decision.settings.privacy === undefined;
}

/**
 * Returns the run of an import that changes nothing: `fail` met a website that exists, or it is a dry run. Undefined
 * for others.
 */
function settleWithoutChanges(
  decisions: readonly Decision[],
  { onConflict, isDryRun }: Pick<ImportMode, "onConflict" | "isDryRun">,
): Run | undefined {
  const hasConflict = decisions.some((decision) => decision.action === "none" && idOf(decision) !== undefined);
  const isRefused = onConflict === "fail" && hasConflict;
  if (!isRefused && !isDryRun) return undefined;
  const results = decisions.map((decision): Result => {
    const { place, domain, action } = decision;
    if (action === "none") return { place, domain, ...decision.verdict };
    return { place, domain, ...(isRefused ? { outcome: "not_tried" } : predict(decision)) };
  });
  return { results, isInterrupted: false };
}

function predict(decision: Decision): Verdict {
  return decision.action === "create" ? { outcome: "would_create" } : { outcome: "would_update", id: idOf(decision) };
}

function numberOf({ place }: Result): number {
  return place?.number ?? 0;
}
