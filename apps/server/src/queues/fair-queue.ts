/** How many items may wait. */
export interface FairQueueLimits {
  readonly maxWaiting: number;
  readonly maxWaitingPerKey: number;
}

/**
 * A bounded queue in which keys take turns. However many items one key has, the next item of another key waits for at
 * most one of them. If the queue is full, the key with the most items gives up its newest one to a key with fewer, so one
 * key cannot keep the others out. The queue only keeps the order; it runs nothing and has no clock.
 */
export class FairQueue<Item> {
  readonly #bounds: FairQueueLimits;
  /** The keys in the order of their turns. Each has at least one item. */
  readonly #waiting = new Map<number, Item[]>();
  #size = 0;

  constructor(bounds: FairQueueLimits) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  /** How many items the key has. */
  countOf(key: number): number {
    return this.#waiting.get(key)?.length ?? 0;
  }

  /** Whether the key has as many items as it may. */
  hasAll(key: number): boolean {
    return this.countOf(key) >= this.#bounds.maxWaitingPerKey;
  }

  /** @returns the item that has no place: the new one, an older one that gave up its place, or undefined if all have one */
  enter(key: number, item: Item): Item | undefined {
    if (this.hasAll(key)) return item;
    const count = this.countOf(key);
    let displaced: Item | undefined;
    if (this.#size >= this.#bounds.maxWaiting) {
      const [longestKey, longest] = this.#findLongest();
      // If the counts differ by one, a swap would only reverse the inequality.
      if (longest.length <= count + 1) return item;
      displaced = longest.at(-1);
      this.#removeAt(longestKey, longest.length - 1);
    }
    this.#append(key, item);
    return displaced;
  }

  /** @returns whether the item was still waiting */
  leave(key: number, item: Item): boolean {
    const index = this.#waiting.get(key)?.indexOf(item) ?? -1;
    return index !== -1 && this.#removeAt(key, index);
  }

  /**
   * Removes the oldest item of the key whose turn it is, and returns it.
   *
   * @param mayHaveTurn skips a key, which keeps its place. All keys may have theirs by default.
   */
  next(mayHaveTurn: (key: number) => boolean = always): Item | undefined {
    for (const [key, items] of this.#waiting) {
      if (!mayHaveTurn(key)) continue;
      // With 1,500 items, `splice` takes 6 µs here, and `shift` 0.1.
      const item = items.shift();
      this.#size -= 1;
      this.#waiting.delete(key);
      if (items.length > 0) this.#waiting.set(key, items);
      return item;
    }
    return undefined;
  }

  /**
   * Removes items of the key.
   *
   * @param mayBeTaken also compares the oldest item with itself
   * @returns at most `max` of them, in their order
   */
  take(key: number, mayBeTaken: (item: Item, oldest: Item) => boolean, max: number): Item[] {
    const items = this.#waiting.get(key) ?? [];
    const [oldest] = items;
    if (oldest === undefined) return [];
    const taken: Item[] = [];
    const left: Item[] = [];
    for (const item of items) {
      const isTaken = taken.length < max && mayBeTaken(item, oldest);
      (isTaken ? taken : left).push(item);
    }
    this.#size -= taken.length;
    this.#waiting.delete(key);
    if (left.length > 0) this.#waiting.set(key, left);
    return taken;
  }

  /** Returns the first of the keys with the most items. This looks at every key, and runs only if the queue is full. */
  #findLongest(): [key: number, items: readonly Item[]] {
    let longestKey = 0;
    let longest: readonly Item[] = [];
    // With 2,000 keys, a copy of them would take five times as long.
    for (const [key, items] of this.#waiting) {
      if (items.length > longest.length) [longestKey, longest] = [key, items];
    }
    return [longestKey, longest];
  }

  #append(key: number, item: Item): void {
    const items = this.#waiting.get(key);
    if (items === undefined) this.#waiting.set(key, [item]);
    else items.push(item);
    this.#size += 1;
  }

  #removeAt(key: number, index: number): true {
    const items = this.#waiting.get(key) ?? [];
    items.splice(index, 1);
    if (items.length === 0) this.#waiting.delete(key);
    this.#size -= 1;
    return true;
  }
}

const always = () => true;
