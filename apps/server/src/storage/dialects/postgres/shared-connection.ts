import type { Turn } from "./circuit-breakers.ts";
import type { ConnectionTurns } from "./connection-turns.ts";

/** A query of a caller. `retire` says that nobody can use the connection again. */
export type SharedWork<Client, Result> = (client: Client, retire: () => void) => Promise<Result>;

/** The result of a query that was sent behind another one which is not answered. It can be sent again. */
export const overtaken = Symbol("overtaken");
/** The result of the query that is not answered. */
export const unanswered = Symbol("unanswered");

type Outcome<Result> = Result | typeof overtaken | typeof unanswered;

/** In how many intervals a connection that hangs has had no answer. */
const maxSilentIntervals = 2;

/** A connection for several callers at the same time. The server answers their queries in order. */
export class SharedConnection<Client> {
  readonly client: Promise<Client>;
  readonly openedAtMs = performance.now();
  readonly #turns: ConnectionTurns;
  /** Of the callers that wait, in the order of their answers. */
  readonly #waiting: Turn[] = [];
  /** The client of an open connection. */
  #connected: Client | undefined;
  #isUsable = true;
  /** The turn without an answer, once the connection is abandoned. */
  #hanging: Turn | undefined;
  #hasAnswered = false;
  /** Whether callers waited for the server when the current interval began. */
  #waitedAtStart = false;
  #silentIntervals = 0;

  constructor(client: Promise<Client>, turns: ConnectionTurns) {
    this.client = client;
    this.#turns = turns;
    client.then(
      (connected) => {
        this.#connected = connected;
      },
      // Its callers are told.
      () => this.#retire(),
    );
  }

  readonly #retire = () => {
    this.#isUsable = false;
  };

  get isUsable(): boolean {
    return this.#isUsable;
  }

  get callerCount(): number {
    return this.#waiting.length;
  }

  async run<Result>(turn: Turn, work: SharedWork<Client, Result>): Promise<Outcome<Result>> {
    this.#waiting.push(turn);
    try {
      return await work(this.#connected ?? (await this.client), this.#retire);
    } catch (error) {
      if (this.#hanging === undefined) throw error;
      return this.#hanging === turn ? unanswered : overtaken;
    } finally {
      this.#hasAnswered = true;
      this.#waiting.splice(this.#waiting.indexOf(turn), 1);
      this.#turns.end(turn, this.#isUsable);
    }
  }

  /**
   * Call this in regular intervals. Returns whether the server has not answered in the last two. One in which the query was sent does not
   * count, since it may have been sent at its end.
   */
  hangs(): boolean {
    this.#silentIntervals = this.#waitedAtStart && !this.#hasAnswered ? this.#silentIntervals + 1 : 0;
    this.#waitedAtStart = this.#connected !== undefined && this.#waiting.length > 0;
    this.#hasAnswered = false;
    return this.#silentIntervals >= maxSilentIntervals;
  }

  /** Notes whose answer does not come. Then close the connection, which ends the wait of all callers. */
  abandon(): void {
    [this.#hanging] = this.#waiting;
    this.#retire();
    if (this.#hanging !== undefined) this.#turns.hang(this.#hanging);
  }
}
