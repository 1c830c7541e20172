import { timingSafeEqual } from "node:crypto";
import { isWellFormedApiKey } from "@siteward/contract/api-key";
import type { ApiKeyStore, StoredApiKey } from "../storage/storage.ts";
import { hashApiKey } from "./api-key.ts";

/** How long a key is taken for unchanged. Revocation must reach every process within 5 seconds. */
const freshMs = 2_000;
/** How long the time of last use may wait to be written. */
const useDelayMs = 30_000;
const maxCachedKeys = 10_000;

/**
 * The keys in force, as this process knows them. A key that was just read is not read again for two seconds, and when
 * keys were used is written in batches, so that a request costs no write and mostly no read.
 */
export class ApiKeyRing {
  readonly #store: ApiKeyStore;
  readonly #now: () => number;
  readonly #cached = new Map<string, { readonly key: StoredApiKey; readonly readAtMs: number }>();
  readonly #usedAtMs = new Map<number, number>();
  readonly #onWriteError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: ApiKeyStore, options: { onWriteError: (error: unknown) => void; now?: () => number }) {
    this.#store = store;
    this.#onWriteError = options.onWriteError;
    this.#now = options.now ?? Date.now;
  }

  /**
   * Finds the key that this text is, if it is in force, and notes its use. A key that was just read is found at once,
   * without a promise: this stands in the way of every request.
   */
  find(text: string): StoredApiKey | undefined | Promise<StoredApiKey | undefined> {
    const hash = hashApiKey(text);
    const cached = this.#cached.get(hash);
    const isFresh = cached !== undefined && this.#now() - cached.readAtMs < freshMs;
    return isFresh ? this.#admit(cached.key) : this.#read(text, hash);
  }

  /** Writes the uses that wait to be written and stops the timer. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writeUses();
  }

  async #read(text: string, hash: string): Promise<StoredApiKey | undefined> {
    this.#cached.delete(hash);
    if (!isWellFormedApiKey(text)) return undefined;
    const readAtMs = this.#now();
    const bytes = Buffer.from(hash, "hex");
    const key = await this.#store.findByHash(bytes);
    if (key === undefined || !timingSafeEqual(key.hash, bytes)) return undefined;
    if (this.#cached.size >= maxCachedKeys) this.#cached.clear();
    this.#cached.set(hash, { key, readAtMs });
    return this.#admit(key);
  }

  #admit(key: StoredApiKey): StoredApiKey | undefined {
    if (!this.#isInForce(key)) return undefined;
    this.#noteUse(key.id);
    return key;
  }

  #isInForce(key: StoredApiKey): boolean {
    return key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > this.#now());
  }

  #noteUse(keyId: number): void {
    this.#usedAtMs.set(keyId, this.#now());
    this.#timer ??= setTimeout(() => void this.#writeUses(), useDelayMs).unref();
  }

  async #writeUses(): Promise<void> {
    this.#timer = undefined;
    if (this.#usedAtMs.size === 0) return;
    const uses = new Map([...this.#usedAtMs].map(([keyId, usedAtMs]) => [keyId, new Date(usedAtMs)]));
    this.#usedAtMs.clear();
    await this.#store.recordUse(uses).catch(this.#onWriteError);
  }
}
