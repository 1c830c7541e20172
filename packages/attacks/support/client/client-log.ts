import type { StoredWebsite } from "./stored-websites.ts";

/** What a client can conclude about a write: done, not done, or either. */
export type Verdict = "acknowledged" | "refused" | "unknown";

/** What clients saw of their writes, and what can therefore be stored. */
export interface ClientLog {
  readonly counts: Readonly<Record<Verdict, number>>;
  /** Records a write that leaves the domain with this mark, or without a website (undefined). */
  note(domain: string, mark: string | undefined, verdict: Verdict): void;
  /** Records a created website from its answer. No other website may ever have its id. */
  noteCreated(created: Pick<StoredWebsite, "accountId" | "id" | "domain">): void;
  /** Records an answer that the server must never send. The same message counts once. */
  noteBreach(breach: string): void;
  /** The mark of each domain; undefined if it has no website. Domains with an unknown write are left out. */
  known(): ReadonlyMap<string, string | undefined>;
  /** Compares what is stored with what clients saw. Unknown outcomes are known from then on. Reports each breach once. */
  check(stored: readonly StoredWebsite[]): string[];
}

interface Expected {
  known: string | undefined;
  /** What a write with an unknown outcome can have left. */
  unknown: (string | undefined)[];
}

/** Creates an empty log. Only one writer writes a domain, one write at a time. */
export function createClientLog(): ClientLog {
  const counts = { acknowledged: 0, refused: 0, unknown: 0 };
  const expected = new Map<string, Expected>();
  const domainsById = new Map<string, string>();
  const breaches = new Set<string>();
  const noteBreach = (breach: string) => void breaches.add(breach);
  const noteCreated: ClientLog["noteCreated"] = ({ accountId, id, domain }) => {
    const key = `${accountId}/${id}`;
    const other = domainsById.get(key) ?? domain;
    if (other !== domain) noteBreach(`ID ${key} was used for ${other} and again for ${domain}.`);
    domainsById.set(key, domain);
  };
  return {
    counts,
    note(domain, mark, verdict) {
      counts[verdict] += 1;
      const entry = expected.get(domain) ?? { known: undefined, unknown: [] };
      expected.set(domain, entry);
      if (verdict === "unknown") entry.unknown.push(mark);
      if (verdict === "acknowledged") Object.assign(entry, { known: mark, unknown: [] });
    },
    noteCreated,
    noteBreach,
    known: () =>
      new Map([...expected].flatMap(([domain, { known, unknown }]) => (unknown.length > 0 ? [] : [[domain, known]]))),
    check(stored) {
      stored.forEach(noteCreated);
      const noted = [...breaches];
      breaches.clear();
      return [...noted, ...compare(expected, stored), ...findFallingDates(stored)];
    },
  };
}

function compare(expected: Map<string, Expected>, stored: readonly StoredWebsite[]): string[] {
  const marks = new Map(stored.map(({ domain, mark }) => [domain, mark]));
  const found = [...marks.keys()]
    .filter((domain) => !expected.has(domain))
    .map((domain) => `${domain} was not created by this run.`);
  for (const [domain, entry] of expected) {
    const mark = marks.get(domain);
    if (![entry.known, ...entry.unknown].includes(mark)) {
      const wanted = [entry.known, ...entry.unknown].map(describe).join(" or ");
      found.push(`${domain} should be ${wanted}, but is ${describe(mark)}.`);
    }
    Object.assign(entry, { known: mark, unknown: [] });
  }
  return found;
}

function describe(mark: string | undefined): string {
  return mark === undefined ? "absent" : `at ${mark}`;
}

function findFallingDates(stored: readonly StoredWebsite[]): string[] {
  const byId = stored.toSorted((left, right) => left.accountId - right.accountId || left.id - right.id);
  return byId.flatMap((website, index) => {
    const before = byId[index - 1];
    const isFalling = before?.accountId === website.accountId && before.createdAt > website.createdAt;
    return isFalling ? [`Website ${website.id} has an earlier created_at than website ${before.id}.`] : [];
  });
}
