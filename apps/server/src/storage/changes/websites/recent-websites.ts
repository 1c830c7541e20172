import type { VersionedWebsite } from "@siteward/service";

interface RecentLimits {
  /** How much memory the records take at most. */
  readonly maxBytes: number;
  /** How long a record is remembered. */
  readonly maxAgeMs: number;
}

/**
 * About 5,000 records with short lists, or 50 with full ones. The age is for a database that was replaced by one without its last changes,
 * such as a standby: there, a version can come again with something else.
 */
const recentLimits = { maxBytes: 4_000_000, maxAgeMs: 60_000 };

interface Entry {
  readonly current: VersionedWebsite;
  readonly bytes: number;
  readonly atMs: number;
}

/** What an entry takes without its lists. It was 600 bytes, with a domain of 30 characters. */
const entryBytes = 700;
/** What a string of a list takes in addition to its characters. */
const stringBytes = 28;

/**
 * Remembers the records that this process has stored last, as they were. Another process may have changed them since, so they can
 * only be used to send a change that the database refuses in this case.
 *
 * When half of the bytes are taken, all records that were stored before these are forgotten at once. To look for the oldest one in a
 * map of thousands whose first entries were deleted took 10 µs.
 */
export class RecentWebsites {
  readonly #limits: RecentLimits;
  #newer = new Map<string, Entry>();
  #newerBytes = 0;
  #older: Map<string, Entry> = new Map();

  constructor(limits: RecentLimits = recentLimits) {
    this.#limits = limits;
  }

  /** How many records are remembered. */
  get size(): number {
    return this.#newer.size + this.#older.size;
  }

  /** Returns a record and forgets it, because the caller is about to change it. */
  take(accountId: number, id: number): VersionedWebsite | undefined {
    const entry = this.#remove(keyOf(accountId, id));
    if (entry === undefined || performance.now() - entry.atMs > this.#limits.maxAgeMs) return undefined;
    return entry.current;
  }

  /** Forgets older records if there is no room. */
  remember(accountId: number, current: VersionedWebsite | undefined): void {
    if (current === undefined) return;
    const key = keyOf(accountId, current.website.id);
    const bytes = entryBytes + listBytes(current.website.exclude_params) + listBytes(current.website.exclude_ips);
    this.#remove(key);
    if (this.#newerBytes + bytes > this.#limits.maxBytes / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#newerBytes = 0;
    }
    this.#newer.set(key, { current, bytes, atMs: performance.now() });
    this.#newerBytes += bytes;
  }

  #remove(key: string): Entry | undefined {
    const newer = this.#newer.get(key);
    if (newer !== undefined) {
      this.#newer.delete(key);
      this.#newerBytes -= newer.bytes;
      return newer;
    }
    const older = this.#older.get(key);
    if (older !== undefined) this.#older.delete(key);
    return older;
  }
}

function keyOf(accountId: number, id: number): string {
  return `${accountId} ${id}`;
}

function listBytes(list: readonly string[]): number {
  return list.reduce((sum, { length }) => sum + stringBytes + length, 0);
}
