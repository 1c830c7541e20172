/**
 * Asks one question for many who would know the answer, one at a time. Who asks never gets an answer to a question that
 * was under way before: it may be older than what the asker has seen.
 */
export class SharedAnswer<Answer> {
  readonly #question: () => Promise<Answer>;
  #current: Promise<unknown> = Promise.resolve();
  #next: Promise<Answer> | undefined;

  constructor(question: () => Promise<Answer>) {
    this.#question = question;
  }

  ask(): Promise<Answer> {
    this.#next ??= this.#askAfter(this.#current);
    return this.#next;
  }

  async #askAfter(current: Promise<unknown>): Promise<Answer> {
    await current.catch(() => undefined);
    const answer = this.#question();
    this.#current = answer;
    this.#next = undefined;
    return answer;
  }
}
