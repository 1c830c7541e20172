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
  readonly #used = new Map<number, Date>();
  readonly #onWriteError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: ApiKeyStore, options: { onWriteError: (error: unknown) => void; now?: () => number }) {
    this.#store = store;
    this.#onWriteError = options.onWriteError;
    this.#now = options.now ?? Date.now;
  }

  /** Finds the key that this text is, if it is in force, and notes its use. */
  async find(text: string): Promise<StoredApiKey | undefined> {
    if (!isWellFormedApiKey(text)) return undefined;
    const key = await this.#read(hashApiKey(text));
    if (key === undefined || !this.#isInForce(key)) return undefined;
    this.#noteUse(key.id);
    return key;
  }

  /** Writes the uses that wait to be written and stops the timer. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writeUses();
  }

  async #read(hash: Uint8Array): Promise<StoredApiKey | undefined> {
    const name = Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("latin1");
    const cached = this.#cached.get(name);
    if (cached !== undefined && this.#now() - cached.readAtMs < freshMs) return cached.key;
    this.#cached.delete(name);
    const readAtMs = this.#now();
    const key = await this.#store.findByHash(hash);
    if (key === undefined || !timingSafeEqual(key.hash, hash)) return undefined;
    if (this.#cached.size >= maxCachedKeys) this.#cached.clear();
    this.#cached.set(name, { key, readAtMs });
    return key;
  }

  #isInForce(key: StoredApiKey): boolean {
    return key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > this.#now());
  }

  #noteUse(keyId: number): void {
    this.#used.set(keyId, new Date(this.#now()));
    this.#timer ??= setTimeout(() => void this.#writeUses(), useDelayMs).unref();
  }

  async #writeUses(): Promise<void> {
    this.#timer = undefined;
    if (this.#used.size === 0) return;
    const uses = new Map(this.#used);
    this.#used.clear();
    await this.#store.recordUse(uses).catch(this.#onWriteError);
  }
}
