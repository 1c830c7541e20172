/** Runs the tasks with the same key one at a time, in the order of the calls. Tasks with other keys do not wait for them. */
export class TurnTaking {
  /** The end of the last task of each key that has one. */
  readonly #last = new Map<string, Promise<unknown>>();

  async take<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const previous = this.#last.get(key);
    const current = previous === undefined ? task() : previous.then(task, task);
    this.#last.set(key, current);
    try {
      return await current;
    } finally {
      if (this.#last.get(key) === current) this.#last.delete(key);
    }
  }
}
