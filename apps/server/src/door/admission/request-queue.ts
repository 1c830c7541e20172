import type { RequestListener } from "node:http";
import type { Duplex } from "node:stream";
import type { Request, Response } from "express";
import type { Logger } from "pino";
import { Exchange } from "./exchange.ts";
import type { RequestsInProgress } from "./progress.ts";
import type { RequestTurns } from "./request-turns.ts";
import type { UnreadResponses } from "./unread-responses.ts";

/** How many unanswered requests a connection may have. Clients that pipeline send 10 to 16 at a time. */
const maxUnanswered = 32;
/** How many characters the headers of waiting requests may have in total. Those of a browser have 500 to 2,000. */
const maxWaitingHeaderLength = 64 * 1024;

const queueOfSocket = new WeakMap<Duplex, RequestQueue>();

/** What the requests of all connections pass, in this order: the limit of those in progress, the turn, and the application. */
interface Admission {
  readonly inProgress: RequestsInProgress;
  readonly turns: RequestTurns;
  /** The application. */
  readonly listener: RequestListener;
  /** What its complete responses pass. */
  readonly unread: UnreadResponses;
  readonly logger: Logger;
}

/**
 * Answers the requests of one connection one at a time, in the order they came. The next one starts when the response
 * before it has left the process. So if a client sends requests and reads no responses, the server keeps one response in
 * memory, not all of them. A connection with too many unanswered requests is ended: Node reads up to 64 KiB at once,
 * which can put 1,500 requests of 1.5 kB each into memory.
 */
export function queueRequests(admission: Admission): RequestListener {
  return (request, response) => {
    const { socket } = request;
    let queue = queueOfSocket.get(socket);
    if (queue === undefined) {
      queue = new RequestQueue(socket, admission);
      queueOfSocket.set(socket, queue);
    }
    // The casts are safe: the server creates messages of the application's classes, which are Express's (`application.ts`).
    queue.add(new Exchange(request as Request, response as Response, admission.inProgress));
  };
}

/** Returns the requests of a connection, or undefined before its first one. */
export function requestQueueOf(socket: Duplex): RequestQueue | undefined {
  return queueOfSocket.get(socket);
}

/** The requests of one connection. One is being answered, the others wait. */
export class RequestQueue {
  readonly #socket: Duplex;
  readonly #admission: Admission;
  /** Every request gets the same functions. Functions of its own would cost more than the rest of this class. */
  readonly #onTurn = () => this.#current && this.#start(this.#current);
  readonly #onComplete = () => this.#noteComplete();
  readonly #onClose = () => this.#goOn();
  #waiting: Exchange[] = [];
  #waitingHeaderLength = 0;
  #current: Exchange | undefined;
  #latest: Exchange | undefined;
  #onAllAnswered: (() => void) | undefined;

  constructor(socket: Duplex, admission: Admission) {
    this.#socket = socket;
    this.#admission = admission;
  }

  /** The latest request, answered or not. */
  get latest(): Exchange | undefined {
    return this.#latest;
  }

  /** The latest of the requests that are not answered. */
  get lastUnanswered(): Exchange | undefined {
    return this.#waiting.at(-1) ?? this.#current;
  }

  add(exchange: Exchange): void {
    // After a response that says it is the last, a request must not be processed (RFC 9112, section 9.6).
    if (!this.#socket.writable) return;
    this.#latest = exchange;
    if (this.#current === undefined) this.#begin(exchange);
    else this.#wait(exchange);
  }

  /**
   * Removes a request that the application must not answer.
   *
   * @returns whether it had not been started
   */
  remove(exchange: Exchange): boolean {
    const waitingBefore = this.#waiting.length;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== exchange);
    return this.#waiting.length < waitingBefore;
  }

  /** Calls back once every request is answered. If no request waits, this happens at once. */
  whenAllAnswered(onAllAnswered: () => void): void {
    if (this.#current === undefined) onAllAnswered();
    else this.#onAllAnswered = onAllAnswered;
  }

  #wait(exchange: Exchange): void {
    this.#waiting.push(exchange);
    this.#waitingHeaderLength += headerLengthOf(exchange);
    const isWithinBounds = this.#waiting.length < maxUnanswered && this.#waitingHeaderLength <= maxWaitingHeaderLength;
    if (!isWithinBounds) this.#endConnection(exchange);
  }

  /**
   * Counts a request as in progress. Those that wait on this connection do not count: they wait for their client to read the
   * answers before them, so a few clients that read nothing would use up the limit of all.
   */
  #begin(exchange: Exchange): void {
    this.#current = exchange;
    exchange.progress.enter();
    if (exchange.progress.isAnsweredAtOnce) this.#start(exchange);
    else this.#admission.turns.start(exchange.progress.keyId, this.#onTurn);
  }

  #start(exchange: Exchange): void {
    if (!this.#socket.writable) {
      exchange.progress.leave();
      this.#waiting = [];
      return;
    }
    const { request, response } = exchange;
    // Each event comes once: when the response is complete and waits to be read, and when it was read or never will be.
    response.on("prefinish", this.#onComplete).on("close", this.#onClose);
    this.#admission.listener(request, response);
  }

  /** A complete answer that the client does not read counts no longer as in progress: `unread-responses.ts` limits those. */
  #noteComplete(): void {
    if (this.#current === undefined) return;
    this.#current.progress.leave();
    this.#admission.unread.add(this.#current.response, this.#current.sharedBytes);
  }

  /** Starts the next request in a later turn of the event loop, so that other connections get theirs. */
  #goOn(): void {
    if (this.#current !== undefined) {
      this.#current.progress.leave();
      this.#admission.unread.remove(this.#current.response);
    }
    const next = this.#socket.writable ? this.#waiting.shift() : undefined;
    this.#current = next;
    if (next !== undefined) {
      this.#waitingHeaderLength -= headerLengthOf(next);
      setImmediate(() => this.#begin(next));
      return;
    }
    this.#waiting = [];
    this.#onAllAnswered?.();
  }

  #endConnection({ request }: Exchange): void {
    this.#waiting = [];
    const message = "A client sent too many requests without waiting for responses. Its connection was closed.";
    this.#admission.logger.info({ remote: request.socket.remoteAddress }, message);
    this.#socket.destroy();
  }
}

function headerLengthOf({ request }: Exchange): number {
  return request.rawHeaders.reduce((length, text) => length + text.length, 0);
}
