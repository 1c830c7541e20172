import type { ChangePosition } from "../lists/website-changes.ts";

/** One change of a website. */
interface LoggedChange {
  readonly id: number;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** More than a test makes between two reads. The oldest are forgotten, and cursors before them are expired. */
const maxChanges = 100_000;

/** The changes of an account's websites, in order. */
export class ChangeLog {
  readonly #beganMs: number;
  #changes: LoggedChange[] = [];
  /** How many changes were forgotten. */
  #forgotten = 0;

  /** @param beganMs when the account was created */
  constructor(beganMs: number) {
    this.#beganMs = beganMs;
  }

  /** The position after the newest change. */
  get newest(): ChangePosition {
    const number = this.#forgotten + this.#changes.length;
    return { number, at: this.#changes.at(-1)?.at ?? this.#beganMs };
  }

  add(change: LoggedChange): void {
    this.#changes.push(change);
    if (this.#changes.length <= maxChanges) return;
    // Half of them at once: to remove one from an array moves all others.
    this.#forgotten += maxChanges / 2;
    this.#changes = this.#changes.slice(maxChanges / 2);
  }

  /** Returns the first changes after a position, and the position after them. Undefined if they are not all known. */
  read(since: ChangePosition, limit: number): { readonly ids: number[]; readonly end: ChangePosition } | undefined {
    const start = since.number - this.#forgotten;
    if (start > this.#changes.length || this.#timeAt(start) !== since.at) return undefined;
    const found = this.#changes.slice(start, start + limit);
    const number = since.number + found.length;
    return { ids: found.map(({ id }) => id), end: { number, at: found.at(-1)?.at ?? since.at } };
  }

  /** Returns the time of the change before a place. Undefined if it is not known. */
  #timeAt(place: number): number | undefined {
    return place === 0 && this.#forgotten === 0 ? this.#beganMs : this.#changes[place - 1]?.at;
  }
}
