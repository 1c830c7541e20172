import { ReadingStopped } from "./reading-stopped.ts";

/**
 * The most values that a file may repeat in one way: 100,000 websites with a list of ten each. A file of 7 MB could state a list of 500
 * networks for each of 100,000 websites.
 */
const maxRepeatedValues = 1_000_000;

/** Counts the values that a file repeats instead of writing them again. */
export class RepeatedValues {
  /** What repeats them, such as "has an alias past". */
  readonly #what: string;
  #count = 0;

  constructor(what: string) {
    this.#what = what;
  }

  /** @throws ReadingStopped past the limit */
  add(count: number, line: number): void {
    this.#count += count;
    if (this.#count <= maxRepeatedValues) return;
    const limit = maxRepeatedValues.toLocaleString("en-US");
    throw new ReadingStopped(
      line,
      `${this.#what} the limit of ${limit} repeated values; state what most websites share in defaults, or split the file`,
    );
  }
}
