import { tooManyWait } from "@siteward/service";

/** How much may wait. */
interface TurnLimits {
  /** How many tasks of one key may run or wait. */
  readonly maxTasks: number;
  /** How long a task may wait for its turn. */
  readonly maxWaitMs: number;
}

interface Line {
  size: number;
  /** The end of the last task. */
  last: Promise<unknown>;
}

/** Runs the tasks with the same key one at a time, in the order of the calls. Tasks with other keys do not wait for them. */
export class TurnTaking {
  readonly #limits: TurnLimits;
  readonly #lines = new Map<string, Line>();

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** @throws AppError `unavailable` if too many tasks wait, or this one waited for too long */
  async take<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(key);
    if (line === undefined) return this.#run(key, { size: 0, last: Promise.resolve() }, task());
    if (line.size >= this.#limits.maxTasks) throw tooManyWait();
    const deadlineMs = performance.now() + this.#limits.maxWaitMs;
    const runInTime = () => {
      if (performance.now() > deadlineMs) throw tooManyWait();
      return task();
    };
    return this.#run(key, line, line.last.then(runInTime, runInTime));
  }

  async #run<Result>(key: string, line: Line, running: Promise<Result>): Promise<Result> {
    line.size += 1;
    line.last = running;
    this.#lines.set(key, line);
    try {
      return await running;
    } finally {
      line.size -= 1;
      if (line.size === 0) this.#lines.delete(key);
    }
  }
}
