import type { IncomingMessage } from "node:http";
import type { SharedPlaces } from "../../queues/shared-places.ts";

/** What the requests of this process share. */
export interface RequestsInProgress {
  /** Each request in progress takes one. */
  readonly places: SharedPlaces;
  /** Each byte of a body takes one, until its request is answered. */
  readonly bodyBytes: SharedPlaces;
  /** Returns the ID of the API key that a request sends, if this process knows that key as valid. */
  readonly keyOf: (request: IncomingMessage) => number | undefined;
}

/** The bound that a request is past: one of all requests, or the share of its API key. */
export type Overload = "requests" | "requests of the key" | "bytes" | "bytes of the key";

/** The paths that monitoring reads. They are answered however busy the process is. */
export const healthPaths = { alive: "/healthz", ready: "/readyz" } as const;

/** Whose place a request takes until its key is known. See {@link SharedPlaces}. */
const noKey = 0;

/**
 * Whether a request counts as in progress: from its turn on its connection until its answer is complete and its work has ended,
 * except while the server waits for the client to send the body. Those past a limit are refused at once, which takes a fraction
 * of the time of an answer: otherwise each of them waits for all before it, until clients give up and their requests are
 * answered for nobody.
 */
export class Progress {
  readonly #request: IncomingMessage;
  readonly #inProgress: RequestsInProgress;
  /** Undefined before the request has its turn, and once it is answered or never will be. */
  #state: "counted" | "receiving" | "exempt" | "refused" | undefined = undefined;
  #overload: Overload | undefined = undefined;
  #keyId = noKey;
  #bodyBytes = 0;
  #isWorking = false;
  #hasLeft = false;

  constructor(request: IncomingMessage, inProgress: RequestsInProgress) {
    this.#request = request;
    this.#inProgress = inProgress;
  }

  /** Which bound the request is past, if it must be refused. */
  get overload(): Overload | undefined {
    return this.#overload;
  }

  /** The ID of the API key that the request counts for. It is 0 until the key is known. */
  get keyId(): number {
    return this.#keyId;
  }

  /** Whether the request must not wait for those that are counted. */
  get isAnsweredAtOnce(): boolean {
    return this.#state === "refused" || this.#state === "exempt";
  }

  /** Counts the request as in progress, or marks it as one to refuse. */
  enter(): void {
    if (isForMonitoring(this.#request)) this.#state = "exempt";
    else this.#takePlace(this.#inProgress.keyOf(this.#request) ?? noKey);
  }

  /** Counts the request for its API key from now on. Afterwards, it can be past the share of the key. */
  identify(keyId: number): void {
    if (this.#keyId === keyId || this.#state !== "counted") return;
    this.#inProgress.places.giveBack(this.#keyId, 1);
    this.#takePlace(keyId);
  }

  /** Takes room for a body of at most this length, before it is read. Afterwards, the request can be past the limit. */
  reserveBody(bytes: number): void {
    // The client can disconnect while its key is looked up. Then nobody would give this back.
    if (this.#hasLeft) return;
    const noPlace = this.#inProgress.bodyBytes.take(this.#keyId, bytes);
    if (noPlace === undefined) this.#bodyBytes = bytes;
    else this.#overload = noPlace === "full" ? "bytes" : "bytes of the key";
  }

  /** Gives back the room that a body turned out not to need. */
  shrinkBody(bytes: number): void {
    const unused = this.#bodyBytes - bytes;
    if (unused <= 0) return;
    this.#inProgress.bodyBytes.giveBack(this.#keyId, unused);
    this.#bodyBytes = bytes;
  }

  /**
   * Waits for what the client sends, without counting the request meanwhile: otherwise the slow requests of two API keys would
   * use up the limit of all. Afterwards, the request can be past the limit.
   */
  async whileClientSends<Result>(wait: () => Promise<Result>): Promise<Result> {
    if (this.#state === "counted") {
      this.#inProgress.places.giveBack(this.#keyId, 1);
      this.#state = "receiving";
    }
    try {
      return await wait();
    } finally {
      // It may have left meanwhile.
      if (this.#state === "receiving") this.#takePlace(this.#keyId);
    }
  }

  /**
   * Notes that the work of the request begins. If its client disconnects, the request counts until {@link endWork}. Otherwise
   * clients that disconnect could put any number of changes in front of a database that is busy. Afterwards, a request that has left
   * before, such as while its key was looked up, can be past the limit.
   */
  beginWork(): void {
    if (this.#hasLeft) this.#takePlace(this.#keyId);
    this.#isWorking = true;
  }

  endWork(): void {
    this.#isWorking = false;
    if (this.#hasLeft) this.#giveBack();
  }

  /** Notes that the request is answered, or never will be. More calls change nothing. */
  leave(): void {
    this.#hasLeft = true;
    if (!this.#isWorking) this.#giveBack();
  }

  #takePlace(keyId: number): void {
    const noPlace = this.#inProgress.places.take(keyId, 1);
    this.#keyId = keyId;
    this.#state = noPlace === undefined ? "counted" : "refused";
    if (noPlace !== undefined)
      this.#overload = noPlace === "full" || keyId === noKey ? "requests" : "requests of the key";
  }

  #giveBack(): void {
    if (this.#state === "counted") this.#inProgress.places.giveBack(this.#keyId, 1);
    this.shrinkBody(0);
    this.#state = undefined;
  }
}

const exemptPaths: readonly string[] = Object.values(healthPaths);

function isForMonitoring({ url = "" }: IncomingMessage): boolean {
  const queryAt = url.indexOf("?");
  return exemptPaths.includes(queryAt === -1 ? url : url.slice(0, queryAt));
}
