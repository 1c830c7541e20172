/** Why there is no place: none is free, or the key already has its share. */
export type NoPlace = "full" | "share";

/** How many keys are remembered that have no place. To forget a key after each of its requests took half a microsecond. */
const maxIdleKeys = 1_000;

/**
 * Places that API keys share, such as requests or bytes. A key gets a place while it has fewer than are free. So one key has at
 * most half of all, two have a third each, and a key that has none gets one, however many the others want. Switches share their
 * memory between their ports by this rule (Choudhury and Hahne, "Dynamic queue length thresholds", 1998).
 *
 * The key with ID 0 stands for all requests whose key is not known. Real IDs start at 1.
 */
export class SharedPlaces {
  readonly #ofKey = new Map<number, number>();
  readonly #max: number;
  #free: number;

  constructor(max: number) {
    this.#max = max;
    this.#free = max;
  }

  /** How many places are taken. */
  get taken(): number {
    return this.#max - this.#free;
  }

  /** Takes places, at least one: all or none. The last ones can pass the share of the key. */
  take(keyId: number, count: number): NoPlace | undefined {
    const held = this.#ofKey.get(keyId) ?? 0;
    if (count > this.#free) return "full";
    if (held >= this.#free) return "share";
    this.#ofKey.set(keyId, held + count);
    this.#free -= count;
    return undefined;
  }

  giveBack(keyId: number, count: number): void {
    const left = (this.#ofKey.get(keyId) ?? 0) - count;
    if (left > 0 || this.#ofKey.size <= maxIdleKeys) this.#ofKey.set(keyId, left);
    else this.#ofKey.delete(keyId);
    this.#free += count;
  }
}
