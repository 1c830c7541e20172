import type { Counter } from "@prometheus-io/client";
import type { Logger } from "pino";
import type { Outcome } from "./judge.ts";

const [maxLines, everyMs] = [1_000, 10_000];

/** Counts outcomes. In a dry run it logs what would have become of visits, and nothing that a visitor can choose. */
export class Outcomes {
  readonly #visits: Counter<"result">;
  readonly #log: Logger | undefined;
  readonly #lines = new Map<string, number>();

  /** @param log of a dry run */
  constructor(visits: Counter<"result">, log: Logger | undefined) {
    this.#visits = visits;
    this.#log = log;
    if (log !== undefined) setInterval(() => this.report(), everyMs).unref();
  }

  add({ result, domain, rule, page, referrer }: Outcome, isKept: boolean): void {
    const isCleaned = page !== undefined || referrer !== undefined;
    this.#visits.labels(isCleaned ? "cleaned" : result).inc();
    if (this.#log === undefined || (isKept && !isCleaned)) return;
    const line = JSON.stringify({ would: isKept ? "clean" : "drop", reason: result, domain, rule });
    const count = this.#lines.get(line) ?? 0;
    if (count > 0 || this.#lines.size < maxLines) this.#lines.set(line, count + 1);
  }

  /** Logs what was counted since the last time. */
  report(): void {
    for (const [line, visits] of this.#lines) this.#log?.info({ ...JSON.parse(line), visits }, "dry run");
    this.#lines.clear();
  }
}
