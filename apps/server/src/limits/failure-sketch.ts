import { countAllowed, levelNow, oneRequest, untilNextMs } from "@siteward/service";

/** Each name is counted in one cell of each row. */
const rows = 4;
/** A power of 2. All cells together take 1 MiB, which never grows. */
const cellsPerRow = 16_384;

export interface FailureSketchOptions {
  /** How many failures a minute are allowed. */
  readonly limit: number;
  /** Returns at least 16 bytes that no client can predict: who could choose names of the same cells could block others. */
  readonly hash: (name: string) => Uint8Array;
  /** A clock in milliseconds, which may jump. */
  readonly now: () => number;
}

/**
 * Counts the failures of each name in a table of a fixed size, so that no flood of names makes it grow: a count-min sketch
 * (Cormode and Muthukrishnan, 2005) whose counters leak. A name counts as much as its lowest cell does, so it is never allowed
 * too much. It could be allowed too little if each of its cells was shared with a name that fails: with 1,000 names
 * at their limit, that happens to one other in 80,000.
 */
export class FailureSketch {
  readonly #options: FailureSketchOptions;
  readonly #levels = new Float64Array(rows * cellsPerRow);
  readonly #notedAtMs = new Float64Array(rows * cellsPerRow);

  constructor(options: FailureSketchOptions) {
    this.#options = options;
  }

  /**
   * Counts a failure, if the limit allows it.
   *
   * @returns undefined, or after how many milliseconds the next one is allowed
   */
  take(name: string): number | undefined {
    const { limit } = this.#options;
    const cells = this.#cellsOf(name);
    const lowest = Math.min(...cells.map((cell) => this.#drain(cell)));
    if (countAllowed(lowest, limit) < 1) return untilNextMs(lowest, limit);
    for (const cell of cells) this.#add(cell, oneRequest);
    return undefined;
  }

  /** Takes back what was counted and did not fail. */
  giveBack(name: string): void {
    for (const cell of this.#cellsOf(name)) this.#add(cell, -oneRequest);
  }

  #cellsOf(name: string): number[] {
    const { buffer, byteOffset, byteLength } = this.#options.hash(name);
    const view = new DataView(buffer, byteOffset, byteLength);
    return Array.from(
      { length: rows },
      (_, row) => row * cellsPerRow + (view.getUint32(row * Uint32Array.BYTES_PER_ELEMENT) % cellsPerRow),
    );
  }

  #drain(cell: number): number {
    const { limit, now } = this.#options;
    const nowMs = Math.floor(now());
    const noted = { level: this.#levels[cell] ?? 0, atMs: this.#notedAtMs[cell] ?? 0 };
    this.#notedAtMs[cell] = nowMs;
    const level = levelNow(noted, { limit, nowMs });
    this.#levels[cell] = level;
    return level;
  }

  /** A cell of many names goes no further than the limit, so it is as low as any other a minute later. */
  #add(cell: number, amount: number): void {
    const full = this.#options.limit * oneRequest;
    this.#levels[cell] = Math.min(Math.max(0, (this.#levels[cell] ?? 0) + amount), full);
  }
}
