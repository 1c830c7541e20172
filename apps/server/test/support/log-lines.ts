/** A log kept in memory. */
export class LogLines {
  readonly #lines: string[] = [];
  readonly #flush: () => void;

  /** @param flush has the lines written that wait to be */
  constructor(flush: () => void) {
    this.#flush = flush;
  }

  write(line: string): void {
    this.#lines.push(line);
  }

  /** Everything that was logged. */
  get text(): string {
    this.#flush();
    return this.#lines.join("");
  }

  /** The lines, each read as the one JSON object that it must be. */
  get entries(): ReadonlyArray<Record<string, unknown>> {
    return this.text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }
}
