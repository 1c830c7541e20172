import { tooManyWait, type VersionedWebsite } from "@siteward/service";
import type { Database } from "../engine/database.ts";
import { prepareWebsiteGet } from "../reads/website-get.ts";
import { untilNoConflict } from "./update-row.ts";

/** What was decided on a record: a change and its result, or only a result. */
interface Decision<Result> {
  readonly result: Result;
  /** Makes the change if the record still has its version. Returns whether it had. Undefined for no change. */
  readonly change?: () => Promise<boolean>;
  /** Throws an error if the change was not made for another reason than the version. */
  readonly requireRoom?: () => Promise<void>;
  /** The record afterwards. Undefined if it is then deleted. */
  readonly after?: VersionedWebsite;
}

/** Decides on a record. It is called again if the record was outdated. */
type Decide<Result> = (current: VersionedWebsite) => Promise<Decision<Result>>;

/**
 * Returns a function that decides on the newest record, and makes the change. It returns undefined if the record does
 * not exist.
 *
 * The changes that this process makes to one record take turns, so that only those of other processes conflict.
 *
 * A change is first decided on the record as this process has stored it last, and sent without a read: one round trip.
 * That the record still has its version proves that nobody has changed it since. Otherwise the record is read, and
 * nothing that was decided before counts. So no answer and no error comes from a record that may be outdated.
 */
export function prepareChangeCurrent({ primary }: Pick<Database, "primary">, recent: RecentWebsites) {
  const get = prepareWebsiteGet({ readUpToDate: (work) => work(primary) });
  const takeTurn = createTurns(maxWaitMs);
  return <Result>(accountId: number, id: number, decide: Decide<Result>): Promise<Result | undefined> =>
    takeTurn(`${accountId} ${id}`, async () => {
      const sent = await decideChange(decide, recent.take(accountId, id));
      if (sent !== undefined && (await sent.change())) {
        recent.remember(accountId, sent.after);
        return sent.result;
      }
      const made = await untilNoConflict(`Website ${id} of account ${accountId}`, async () => {
        const current = await get(accountId, id);
        if (current === undefined) return undefined;
        const decision = await decide(current);
        if (decision.change === undefined || (await decision.change())) return decision;
        await decision.requireRoom?.();
        return "conflict";
      });
      // What another process has just changed, it probably changes again, and a conflict costs a round trip more than a
      // read.
      if (sent === undefined) recent.remember(accountId, made?.after);
      return made?.result;
    });
}

/** Returns undefined unless the decision on a record that may be outdated is a change. */
async function decideChange<Result>(decide: Decide<Result>, remembered: VersionedWebsite | undefined) {
  if (remembered === undefined) return undefined;
  // An error, such as a condition that is not met, is found again if the newest record causes it too.
  const decision = await decide(remembered).catch(() => undefined);
  return decision?.change === undefined ? undefined : { ...decision, change: decision.change };
}

/** How long a change waits for those before it. After a transaction has waited for as long, it is refused too. */
const maxWaitMs = 5_000;

/** Runs the tasks of a key one at a time, in the order of the calls. @throws AppError `unavailable` after too long */
export function createTurns(maxWaitMs: number) {
  const ends = new Map<string, Promise<void>>();
  return <Result>(key: string, task: () => Promise<Result>): Promise<Result> => {
    const deadlineMs = performance.now() + maxWaitMs;
    const runInTime = () => {
      if (performance.now() > deadlineMs) throw tooManyWait();
      return task();
    };
    const running = ends.get(key)?.then(runInTime) ?? task();
    const forget = () => {
      if (ends.get(key) === end) ends.delete(key);
    };
    const end = running.then(forget, forget);
    ends.set(key, end);
    return running;
  };
}

/** How much memory the records take at most: about 5,000 with short lists, or 50 with full ones. */
const maxRecentBytes = 4_000_000;
/** What an entry takes without its lists. It was 600 bytes, with a domain of 30 characters. */
const entryBytes = 700;
/** What a string of a list takes in addition to its characters. */
const stringBytes = 28;
/** What a character takes in a string with any character outside of Latin-1. Of other strings, it takes 1 byte. */
const characterBytes = 2;

/**
 * Remembers the records that this process has stored last, as they were. Another process may have changed them since,
 * so they can only be used to send a change that the database refuses in this case.
 *
 * When half of the bytes were stored, all records that were stored before these are forgotten at once. To look for the
 * oldest one in a map of thousands whose first entries were deleted took 10 µs.
 */
export class RecentWebsites {
  readonly #maxBytes: number;
  #newer = new Map<string, VersionedWebsite>();
  #older = new Map<string, VersionedWebsite>();
  /** What was stored in the newer ones, also what was taken since. */
  #bytes = 0;

  constructor(maxBytes: number = maxRecentBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Returns a record and forgets it, because the caller is about to change it. */
  take(accountId: number, id: number): VersionedWebsite | undefined {
    const key = `${accountId} ${id}`;
    const found = this.#newer.get(key) ?? this.#older.get(key);
    this.#newer.delete(key);
    this.#older.delete(key);
    return found;
  }

  remember(accountId: number, current: VersionedWebsite | undefined): void {
    if (current === undefined) return;
    const { id, exclude_params: params, exclude_ips: ips } = current.website;
    let bytes = entryBytes;
    for (const list of [params, ips]) for (const text of list) bytes += stringBytes + characterBytes * text.length;
    if (this.#bytes + bytes > this.#maxBytes / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#bytes = 0;
    }
    this.#newer.set(`${accountId} ${id}`, current);
    this.#bytes += bytes;
  }
}
