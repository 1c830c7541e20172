import type { Turn } from "./circuit-breakers.ts";
import type { ConnectionTurns } from "./connection-turns.ts";

/** A query of a caller. `retire` says that nobody can use the connection again. */
export type SharedWork<Client, Result> = (client: Client, retire: () => void) => Promise<Result>;

/** The result of a query whose caller has left the connection. */
export const left = Symbol("left");

/** A caller that waits for its answer. */
interface Caller {
  readonly turn: Turn;
  leave(): void;
}

/** In how many intervals a connection that hangs has had no answer. */
const maxSilentIntervals = 2;

/** A connection for several callers at the same time. The server answers their queries in order. */
export class SharedConnection<Client> {
  readonly client: Promise<Client>;
  readonly openedAtMs = performance.now();
  readonly #turns: ConnectionTurns;
  readonly #onAnswer: () => void;
  isUsable = true;
  /** In the order of their queries. */
  readonly #callers = new Set<Caller>();
  /** Queries without an answer, also those of callers that have left. */
  #unanswered = 0;
  /** The client of an open connection. */
  #connected: Client | undefined;
  #hasAnswered = false;
  #silentIntervals = 0;

  /** @param onAnswer called after each answer */
  constructor(client: Promise<Client>, turns: ConnectionTurns, onAnswer: () => void) {
    this.client = client;
    this.#turns = turns;
    this.#onAnswer = onAnswer;
    client.then(
      (connected) => {
        this.#connected = connected;
      },
      // Its callers are told.
      () => {
        this.isUsable = false;
      },
    );
  }

  readonly #retire = () => {
    this.isUsable = false;
  };

  get callerCount(): number {
    return this.#callers.size;
  }

  /** Whether it can be released: nobody waits for it, and the server has answered all queries or never will. */
  get isDone(): boolean {
    return this.#callers.size === 0 && (this.#unanswered === 0 || !this.isUsable);
  }

  /** @returns `left` if an earlier query keeps this one from being answered */
  run<Result>(turn: Turn, work: SharedWork<Client, Result>): Promise<Result | typeof left> {
    const { promise, resolve, reject } = Promise.withResolvers<Result | typeof left>();
    const caller = { turn, leave: () => resolve(left) };
    this.#callers.add(caller);
    this.#unanswered += 1;
    void this.#send(work, { resolve, reject }, caller);
    return promise;
  }

  async #send<Result>(
    work: SharedWork<Client, Result>,
    { resolve, reject }: Pick<PromiseWithResolvers<Result | typeof left>, "resolve" | "reject">,
    caller: Caller,
  ): Promise<void> {
    try {
      resolve(await work(this.#connected ?? (await this.client), this.#retire));
    } catch (error) {
      reject(error);
    }
    this.#unanswered -= 1;
    this.#hasAnswered = true;
    if (this.#callers.delete(caller)) this.#turns.end(caller.turn, this.isUsable);
    this.#onAnswer();
  }

  /** Call this in regular intervals. Returns whether the server has not answered in the last two. */
  hangs(): boolean {
    const isSilent = this.#connected !== undefined && this.#unanswered > 0 && !this.#hasAnswered;
    this.#silentIntervals = isSilent ? this.#silentIntervals + 1 : 0;
    this.#hasAnswered = false;
    return this.#silentIntervals >= maxSilentIntervals;
  }

  /** Makes the callers leave that wait behind the first one, whose turn hangs. */
  leaveBehindFirst(): void {
    const [first, ...others] = this.#callers;
    if (first !== undefined) this.#turns.hang(first.turn);
    for (const caller of others) {
      this.#callers.delete(caller);
      this.#turns.end(caller.turn, false);
      caller.leave();
    }
  }
}
