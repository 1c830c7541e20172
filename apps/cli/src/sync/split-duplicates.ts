import { isDeepStrictEqual } from "node:util";
import type { Place, WebsiteEntry } from "../entries/website-entry.ts";
import { placeText } from "./place-text.ts";
import type { Result } from "./result.ts";

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
export function splitDuplicates(entries: readonly WebsiteEntry[], refused: readonly Result[]): SplitEntries {
  const refusedPlaces = new Map(refused.map(({ domain, place }) => [domain, place]));
  const first = new Map<string, WebsiteEntry>();
  const repeated: Result[] = [];
  for (const entry of entries) {
    const { domain, place } = entry;
    const refusedPlace = refusedPlaces.get(domain);
    const earlier = first.get(domain);
    if (refusedPlace !== undefined) repeated.push({ place, domain, ...withRefused(refusedPlace) });
    else if (earlier === undefined) first.set(domain, entry);
    else repeated.push({ place, domain, ...judge(entry, earlier) });
  }
  return { unique: [...first.values()], repeated };
}

function withRefused(place: Place): Pick<Result, "outcome" | "reason"> {
  const reason = `is also on ${placeText(place)}, which is refused; fix that line, or remove one of the two`;
  return { outcome: "refused", reason };
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
