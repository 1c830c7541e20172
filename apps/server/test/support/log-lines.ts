/** A log that is kept in memory. */
export class LogLines {
  readonly #lines: string[] = [];
  readonly #flush: () => void;

  /** @param flush writes the lines that are still buffered */
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

  /** The lines, each parsed as the one JSON object that it must be. */
  get entries(): ReadonlyArray<Record<string, unknown>> {
    return this.text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }
}
