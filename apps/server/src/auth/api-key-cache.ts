import { hash, timingSafeEqual } from "node:crypto";
import { isWellFormedApiKey } from "@siteward/contract/plain";
import { useIntervalMs } from "../storage/interface/api-key-store.ts";
import type { ApiKeyStore, StoredApiKey } from "../storage/interface/storage.ts";

/** How long a key that was read counts as unchanged. A revocation must reach every process within 5 seconds. */
const freshMs = 2_000;
/** How long the last-used time of a key may wait to be written. */
const useDelayMs = 30_000;
const maxCachedKeys = 10_000;

/**
 * Caches the valid keys of this process. A valid key is read again after two seconds at the earliest, and last-used
 * times are written in batches, so a request costs no write and in most cases no read.
 */
export class ApiKeyCache {
  readonly #store: ApiKeyStore;
  readonly #now: () => number;
  readonly #cached = new Map<string, { readonly key: StoredApiKey; readonly readAtMs: number }>();
  #usedAtMs = new Map<number, number>();
  readonly #onWriteError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(store: ApiKeyStore, options: { onWriteError: (error: unknown) => void; now?: () => number }) {
    this.#store = store;
    this.#onWriteError = options.onWriteError;
    this.#now = options.now ?? Date.now;
  }

  /**
   * Finds an API key that was sent if it is valid, and notes that it was used. A cached key is returned without a
   * promise, because every request waits for this.
   *
   * @param lookUp reads a key that this process does not know. It may limit how often it does.
   */
  find(
    text: string,
    lookUp: (read: () => Promise<StoredApiKey | undefined>) => Promise<StoredApiKey | undefined> = (read) => read(),
  ): StoredApiKey | undefined | Promise<StoredApiKey | undefined> {
    const hash = hashApiKey(text);
    const cached = this.#cached.get(hash);
    if (cached === undefined) return lookUp(() => this.#read(text, hash));
    const ageMs = this.#now() - cached.readAtMs;
    // A read time in the future means that the clock was set back since, so the key can be of any age.
    return ageMs >= 0 && ageMs < freshMs ? this.#admit(cached.key) : this.#read(text, hash);
  }

  /** Writes the last-used times that are still waiting, and stops the timer. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writeUses();
  }

  async #read(text: string, hash: string): Promise<StoredApiKey | undefined> {
    if (!isWellFormedApiKey(text)) return undefined;
    const readAtMs = this.#now();
    const bytes = Buffer.from(hash, "hex");
    const key = await this.#store.findByHash(bytes);
    // Not earlier: until then the key is known, so several requests can read it at the same time.
    this.#cached.delete(hash);
    if (key === undefined || !timingSafeEqual(key.hash, bytes)) return undefined;
    // A key that is not valid is read again each time, as an unknown key is. On PostgreSQL, a response that came 0.3 ms
    // sooner revealed that the key had once been valid.
    if (!this.#isInForce(key)) return undefined;
    const [oldest] = this.#cached.keys();
    if (this.#cached.size >= maxCachedKeys && oldest !== undefined) this.#cached.delete(oldest);
    this.#cached.set(hash, { key, readAtMs });
    return this.#admit(key);
  }

  #admit(key: StoredApiKey): StoredApiKey | undefined {
    if (!this.#isInForce(key)) return undefined;
    const nowMs = this.#now();
    if (nowMs - (key.lastUsedAt?.getTime() ?? 0) >= useIntervalMs) this.#usedAtMs.set(key.id, nowMs);
    if (this.#usedAtMs.size > 0) this.#timer ??= setTimeout(() => void this.#writeUses(), useDelayMs).unref();
    return key;
  }

  #isInForce(key: StoredApiKey): boolean {
    return key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > this.#now());
  }

  /** Writes one after the other. If one fails, its times are written 30 seconds after the next request. */
  #writeUses(): Promise<void> {
    this.#written = this.#written.then(async () => {
      this.#timer = undefined;
      const uses = this.#usedAtMs;
      this.#usedAtMs = new Map();
      await this.#store.recordUse(uses).catch((error: unknown) => {
        this.#onWriteError(error);
        this.#usedAtMs = new Map([...uses, ...this.#usedAtMs]);
      });
    });
    return this.#written;
  }
}

/** Returns the SHA-256 in hexadecimal, which is enough for a secret of 190 bits (OWASP ASVS 5.0, 6.5.2). */
export function hashApiKey(key: string): string {
  return hash("sha256", key, "hex");
}
