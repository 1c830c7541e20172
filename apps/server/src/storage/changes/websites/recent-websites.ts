import type { VersionedWebsite } from "@siteward/service";

/** How much memory the records take at most: about 5,000 with short lists, or 50 with full ones. */
const maxRecentBytes = 4_000_000;

interface Entry {
  readonly current: VersionedWebsite;
  readonly bytes: number;
}

/** What an entry takes without its lists. It was 600 bytes, with a domain of 30 characters. */
const entryBytes = 700;
/** What a string of a list takes in addition to its characters. */
const stringBytes = 28;
/** What a character takes in a string with any character outside of Latin-1. Of other strings, it takes 1 byte. */
const characterBytes = 2;

/**
 * Remembers the records that this process has stored last, as they were. Another process may have changed them since, so they can
 * only be used to send a change that the database refuses in this case.
 *
 * When half of the bytes are taken, all records that were stored before these are forgotten at once. To look for the oldest one in a
 * map of thousands whose first entries were deleted took 10 µs.
 */
export class RecentWebsites {
  readonly #maxBytes: number;
  #newer = new Map<string, Entry>();
  #newerBytes = 0;
  #older: Map<string, Entry> = new Map();

  constructor(maxBytes: number = maxRecentBytes) {
    this.#maxBytes = maxBytes;
  }

  /** How many records are remembered. */
  get size(): number {
    return this.#newer.size + this.#older.size;
  }

  /** Returns a record and forgets it, because the caller is about to change it. */
  take(accountId: number, id: number): VersionedWebsite | undefined {
    return this.#remove(keyOf(accountId, id))?.current;
  }

  /** Forgets older records if there is no room. */
  remember(accountId: number, current: VersionedWebsite | undefined): void {
    if (current === undefined) return;
    const key = keyOf(accountId, current.website.id);
    const bytes = entryBytes + listBytes(current.website.exclude_params) + listBytes(current.website.exclude_ips);
    this.#remove(key);
    if (this.#newerBytes + bytes > this.#maxBytes / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#newerBytes = 0;
    }
    this.#newer.set(key, { current, bytes });
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
  return list.reduce((sum, { length }) => sum + stringBytes + characterBytes * length, 0);
}
