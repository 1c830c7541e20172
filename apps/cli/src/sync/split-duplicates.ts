import { isDeepStrictEqual } from "node:util";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import { placeText } from "./place-text.ts";
import type { Result } from "./result.ts";

/** The entries to import, and the results of those whose domain is in the file twice. */
interface SplitEntries {
  readonly unique: readonly WebsiteEntry[];
  readonly repeated: readonly Result[];
}

/** Splits off each entry whose domain is on an earlier line: skipped if both state the same, else refused. */
export function splitDuplicates(entries: readonly WebsiteEntry[]): SplitEntries {
  const first = new Map<string, WebsiteEntry>();
  const repeated: Result[] = [];
  for (const entry of entries) {
    const earlier = first.get(entry.domain);
    if (earlier === undefined) first.set(entry.domain, entry);
    else repeated.push({ place: entry.place, domain: entry.domain, ...judge(entry, earlier) });
  }
  return { unique: [...first.values()], repeated };
}

function judge(entry: WebsiteEntry, earlier: WebsiteEntry): Pick<Result, "outcome" | "reason"> {
  const where = placeText(earlier.place);
  const isSame = isDeepStrictEqual(statement(entry), statement(earlier));
  if (isSame) return { outcome: "skipped", reason: `is also on ${where}` };
  return { outcome: "refused", reason: `is also on ${where}, with other settings; remove one of the two` };
}

function statement({ settings, password }: WebsiteEntry): unknown {
  return { settings, password };
}
