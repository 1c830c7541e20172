import { copyOf } from "./copy-of.ts";

/**
 * Remembers values by strings that were used lately, at most two generations of them. A full generation becomes the old one, and the
 * one before is forgotten. So no order must be kept, and a client that sends ever new strings takes no more memory.
 */
export class RecentValues<Value> {
  readonly #maxSize: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#maxSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(copyOf(key), value);
  }
}
