import { ReadingStopped } from "./reading-stopped.ts";
import { RepeatedValues } from "./repeated-values.ts";

/** What an alias repeats, and how many values that is: none until all of the value is read. */
interface Anchored {
  data: unknown;
  size: number;
}

/** The most anchors, since what they name stays in memory until the file is read. */
const maxAnchors = 10_000;

/** The anchors of a file, which its parts share. */
export class Anchors {
  readonly #anchored = new Map<string, Anchored>();
  /** The values that aliases and merge keys have repeated so far. */
  readonly #repeated = new RepeatedValues("has an alias past");

  /** Adds an anchor. The caller sets its value as soon as it is read: an alias in it must not find it. */
  add(name: string, line: number): Anchored {
    const anchored = { data: undefined, size: 0 };
    this.#anchored.set(name, anchored);
    if (this.#anchored.size <= maxAnchors) return anchored;
    throw new ReadingStopped(line, `has more than ${maxAnchors.toLocaleString("en-US")} anchors; split the file`);
  }

  /** Returns the value that an alias means: that of the last anchor of its name. */
  find(name: string, line: number): unknown {
    const anchored = this.#anchored.get(name);
    if (anchored === undefined || anchored.size === 0) {
      const reason = `Unresolved alias (the anchor must be set before the alias): ${name.slice(0, 60)}`;
      throw new ReadingStopped(line, `is not valid YAML: ${reason}`);
    }
    this.repeat(anchored.size, line);
    return anchored.data;
  }

  /** Counts values that are repeated. */
  repeat(count: number, line: number): void {
    this.#repeated.add(count, line);
  }
}
