/**
 * Runs one read for many concurrent callers, one read at a time. A caller never gets the answer of a read that began
 * before its call, because that answer may be older than what the caller has already seen.
 */
export class SharedRead<Answer> {
  readonly #read: () => Promise<Answer>;
  #current: Promise<unknown> = Promise.resolve();
  #next: Promise<Answer> | undefined;

  constructor(read: () => Promise<Answer>) {
    this.#read = read;
  }

  run(): Promise<Answer> {
    this.#next ??= this.#runAfter(this.#current);
    return this.#next;
  }

  async #runAfter(current: Promise<unknown>): Promise<Answer> {
    await current.catch(() => undefined);
    const answer = this.#read();
    this.#current = answer;
    this.#next = undefined;
    return answer;
  }
}

/** The work behind the answer is not stopped. @throws Error if the answer does not come in time */
export async function withTimeout<Answer>(answer: Promise<Answer>, maxWaitMs: number): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`The database did not answer within ${maxWaitMs} ms.`)), maxWaitMs);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
