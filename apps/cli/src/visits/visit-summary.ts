import { reasons, type VisitRecord } from "./visit-record.ts";

const names = ["counted", ...reasons] as const;
type SummaryName = (typeof names)[number];

/** How many visits of a file are counted, and how many are not, by the reason. */
export class VisitSummary {
  readonly #counts = new Map<SummaryName, number>();
  #lines = 0;

  add({ reason }: Pick<VisitRecord, "reason">): void {
    const name = reason ?? "counted";
    this.#lines += 1;
    this.#counts.set(name, this.count(name) + 1);
  }

  /** How many lines were read. */
  get lines(): number {
    return this.#lines;
  }

  /** How many visits are `counted`, or have this reason. */
  count(name: SummaryName): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Returns the counts for programs. */
  toRecord(): Readonly<Record<string, number>> {
    return { lines: this.#lines, ...Object.fromEntries(names.map((name) => [name, this.count(name)])) };
  }

  /** Returns the counts in a sentence: "120 visits: 90 counted, 8 ip, 22 bot." */
  toText(): string {
    const counts = names.flatMap((name) =>
      name === "counted" || this.count(name) > 0 ? [`${this.count(name).toLocaleString("en-US")} ${name}`] : [],
    );
    const visits = this.#lines === 1 ? "1 visit" : `${this.#lines.toLocaleString("en-US")} visits`;
    return `${visits}: ${counts.join(", ")}.`;
  }
}
