/** A call that the thread has. */
interface RunningCall {
  readonly id: number;
  readonly accountId: number;
}

/**
 * How many calls the thread has at a time, as many as a group. With twice as many, 500 writers of one account made 8 % more changes, but
 * the only writer of another one, next to them, waited for 22 to 29 ms instead of 16.
 */
const maxShared = 128;
/**
 * An account of which the thread has fewer calls, which is a quarter of a group, gets one of the extra places if the shared ones
 * are taken. Otherwise its only call would wait until the thread has answered others, and would miss the next group.
 */
const fewCalls = 32;
const maxExtra = 256;

/** The calls that the thread has. Those of accounts with few calls have places of their own. */
export class RunningCalls<Call extends RunningCall> {
  readonly #calls = new Map<number, Call>();
  readonly #extraIds = new Set<number>();
  readonly #countOf = new Map<number, number>();

  get size(): number {
    return this.#calls.size;
  }

  /** Whether there is a place for whichever call comes next. */
  get hasSharedPlace(): boolean {
    return this.#calls.size - this.#extraIds.size < maxShared;
  }

  /** Whether there is a place for a call of this account. */
  hasPlace(accountId: number): boolean {
    return this.hasSharedPlace || (this.#extraIds.size < maxExtra && (this.#countOf.get(accountId) ?? 0) < fewCalls);
  }

  add(call: Call): void {
    if (!this.hasSharedPlace) this.#extraIds.add(call.id);
    this.#calls.set(call.id, call);
    this.#countOf.set(call.accountId, (this.#countOf.get(call.accountId) ?? 0) + 1);
  }

  /** Removes a call, and returns it. */
  remove(id: number): Call | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    this.#calls.delete(id);
    this.#extraIds.delete(id);
    const left = (this.#countOf.get(call.accountId) ?? 0) - 1;
    if (left > 0) this.#countOf.set(call.accountId, left);
    else this.#countOf.delete(call.accountId);
    return call;
  }

  /** Removes all calls, and returns them. */
  clear(): Call[] {
    return [...this.#calls.keys()].flatMap((id) => this.remove(id) ?? []);
  }
}
