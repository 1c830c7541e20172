import { isDeepStrictEqual } from "node:util";
import type { Siteward } from "@siteward/sdk";
import { type Exposure, fieldsOf } from "@siteward/sdk/bulk";
import type { WebsiteEntry } from "../files/entry.ts";
import { readPasswords } from "../files/passwords.ts";
import type { WebsiteFile } from "../files/read-websites.ts";
import type { Io } from "../process/io.ts";
import { decide, isChange, type Planned } from "./decide.ts";
import { exposureOf } from "./exposure.ts";
import { readAccount } from "./plan.ts";
import { importPolicy, type OnConflict } from "./policy.ts";
import { placeText } from "./problems.ts";
import type { Result } from "./result.ts";
import { type Run, run } from "./run.ts";

/** How a file is imported. */
export interface ImportMode {
  readonly onConflict: OnConflict;
  readonly isDryRun: boolean;
  /** The path of the file, for `password_file`. */
  readonly path: string;
  /** The level of new websites for which the file states none; undefined if they are public. */
  readonly privacy: number | undefined;
  /** Asks before websites become public or passwords are deleted. A dry run only says what would. */
  readonly mayChange: (exposure: Exposure) => Promise<boolean>;
  readonly retries: number | undefined;
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
  const { onConflict, isDryRun, path, retries } = mode;
  const refused = file.refused.map(
    ({ problem, ...named }): Result => ({ ...named, outcome: "refused", reason: problem }),
  );
  const { unique, repeated } = splitDuplicates(file.entries, refused);
  const domains = new Set(unique.map(({ domain }) => domain));
  const { byDomain: existing } = await readAccount(io, siteward, { domains });
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
  const isConflict = onConflict === "fail" && unique.some(({ domain }) => existing.has(domain));
  if (!isConflict && !(await mode.mayChange(exposureOf(decisions.filter(isChange))))) return undefined;
  const done =
    isConflict || isDryRun
      ? { results: decisions.map((decision) => foresee(decision, isConflict)), isInterrupted: false }
      : await run(io, siteward, decisions, { label: "Importing", policy, passwords, retries });
  const results = [...refused, ...repeated, ...done.results];
  return { ...done, results: results.toSorted((one, other) => numberOf(one) - numberOf(other)) };
}

/**
 * Returns the entries to import, and what becomes of each whose domain is on another line: skipped if an earlier one
 * states the same, refused if it states other settings. It is also refused if a line of its domain was: that one may
 * say that the website is private, and this one that it is public, because it says nothing.
 */
function splitDuplicates(
  entries: readonly WebsiteEntry[],
  refused: readonly Result[],
): { readonly unique: readonly WebsiteEntry[]; readonly repeated: readonly Result[] } {
  const refusedPlaces = new Map(refused.map(({ domain, place }) => [domain, place]));
  const first = new Map<string, WebsiteEntry>();
  const repeated: Result[] = [];
  for (const entry of entries) {
    const { domain, place } = entry;
    const refusedPlace = refusedPlaces.get(domain);
    const earlier = first.get(domain) ?? entry;
    const reason = `is also on ${placeText(refusedPlace ?? earlier.place)}`;
    if (refusedPlace !== undefined) {
      const advice = "which is refused; fix that line, or remove one of the two";
      repeated.push({ place, domain, outcome: "refused", reason: `${reason}, ${advice}` });
    } else if (earlier === entry) first.set(domain, entry);
    else if (isDeepStrictEqual([entry.settings, entry.password], [earlier.settings, earlier.password]))
      repeated.push({ place, domain, outcome: "skipped", reason });
    else {
      const advice = "with other settings; remove one of the two";
      repeated.push({ place, domain, outcome: "refused", reason: `${reason}, ${advice}` });
    }
  }
  return { unique: [...first.values()], repeated };
}

/** Returns a new website with the level of the command line, if the file states none. */
function withPrivacy(entry: WebsiteEntry, { privacy }: Pick<ImportMode, "privacy">): WebsiteEntry {
  if (privacy === undefined) return entry;
  // The flag accepts only the levels of the setting.
  return { ...entry, settings: { privacy, ...entry.settings } as WebsiteEntry["settings"] };
}

/** Returns what becomes of a website if nothing is sent: `fail` met one that exists, or it is a dry run. */
function foresee(decision: Planned | Result, isConflict: boolean): Result {
  if (!isChange(decision)) return decision;
  const { place, domain } = decision;
  if (isConflict) return { place, domain, outcome: "not_tried" };
  if (decision.action !== "update") return { place, domain, outcome: "would_create" };
  const { id, edit, only, password } = decision;
  const fields = [...Object.keys(fieldsOf(edit, only.website)), ...(password === undefined ? [] : ["password"])];
  return { place, domain, id, outcome: "would_update", reason: `changes ${fields.join(", ")}` };
}

function numberOf({ place }: Result): number {
  return place?.number ?? 0;
}
