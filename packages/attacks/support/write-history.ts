import type { ClientLog } from "./client/client-log.ts";
import type { StoredWebsite } from "./client/stored-websites.ts";

/** What a copy of the database must contain, as clients saw their writes. */
export interface WriteHistory {
  /** A log that also records the order of the writes of each domain. */
  readonly log: ClientLog;
  /** Notes what is acknowledged now. Returns a check of a copy that is made from now on. */
  readonly mark: () => (stored: readonly StoredWebsite[]) => string[];
}

interface Write {
  readonly mark: string | undefined;
  readonly isAcknowledged: boolean;
}

/** Records writes. Only one writer writes a domain, one write at a time. */
export function createWriteHistory(log: ClientLog): WriteHistory {
  const writes = new Map<string, Write[]>();
  const note: ClientLog["note"] = (domain, mark, verdict) => {
    log.note(domain, mark, verdict);
    if (verdict === "refused") return;
    const ofDomain = writes.get(domain) ?? [];
    writes.set(domain, [...ofDomain, { mark, isAcknowledged: verdict === "acknowledged" }]);
  };
  const mark = () => {
    const needed = new Map([...writes].map(([domain, ofDomain]) => [domain, lastAcknowledged(ofDomain)]));
    return (stored: readonly StoredWebsite[]) => findMissing(writes, needed, stored);
  };
  return { log: { ...log, note }, mark };
}

function lastAcknowledged(writes: readonly Write[]): number {
  return writes.findLastIndex(({ isAcknowledged }) => isAcknowledged);
}

/** A copy may have any later write of a domain in the place of the last one that was acknowledged before it began. */
function findMissing(
  writes: ReadonlyMap<string, readonly Write[]>,
  needed: ReadonlyMap<string, number>,
  stored: readonly StoredWebsite[],
): string[] {
  const found = new Map(stored.map(({ domain, mark }) => [domain, mark]));
  const unknown = [...found.keys()].filter((domain) => !writes.has(domain));
  const missing = [...writes].filter(([domain, ofDomain]) => {
    const first = needed.get(domain) ?? -1;
    const allowed = first < 0 ? [undefined] : [];
    const marks = [...allowed, ...ofDomain.slice(Math.max(first, 0)).map(({ mark }) => mark)];
    return !marks.includes(found.get(domain));
  });
  return [
    ...unknown.map((domain) => `The backup has ${domain}, which nobody created.`),
    ...missing.map(([domain]) => `The backup lacks a write of ${domain} that was acknowledged before it began.`),
  ];
}
