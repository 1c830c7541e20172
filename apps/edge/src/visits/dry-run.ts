import type { Logger } from "pino";
import type { Outcome } from "./judge.ts";

const [maxLines, everyMs] = [1_000, 10_000];

/** Counts what would become of visits, and logs it, with nothing that a visitor can choose. */
export class DryRun {
  readonly #log: Logger;
  readonly #lines = new Map<string, number>();

  constructor(log: Logger) {
    this.#log = log;
    setInterval(() => this.report(), everyMs).unref();
  }

  add(would: "drop" | "clean", { result: reason, domain, rule }: Outcome): void {
    const line = JSON.stringify({ would, reason, domain, rule });
    if (this.#lines.size < maxLines || this.#lines.has(line)) this.#lines.set(line, (this.#lines.get(line) ?? 0) + 1);
  }

  report(): void {
    for (const [line, visits] of this.#lines) this.#log.info({ ...JSON.parse(line), visits }, "dry run");
    this.#lines.clear();
  }
}
