import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { isAnsweredAtOnce, type RequestBound } from "../http/request-bound.ts";
import { RequestTurns } from "./request-turns.ts";

/** A request and the response that answers it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** How many unanswered requests a connection may have. Clients that pipeline send 10 to 16 at a time. */
const maxUnanswered = 32;
/** How many characters the headers of waiting requests may have in total. Those of a browser have 500 to 2,000. */
const maxWaitingHeaderLength = 64 * 1024;

const queueOfSocket = new WeakMap<Duplex, RequestQueue>();

/**
 * Answers the requests of one connection one at a time, in the order they came. The next one starts when the response
 * before it has left the process. So if a client sends requests and reads no responses, the server keeps one response in
 * memory, not all of them. A connection with too many unanswered requests is ended: Node reads up to 64 KiB at once,
 * which can put 1,500 requests of 1.5 kB each into memory.
 */
export function queueRequests(
  listener: RequestListener,
  { logger, bound }: { logger: Logger; bound: RequestBound },
): RequestListener {
  const turns = new RequestTurns(() => performance.now());
  return (request, response) => {
    const { socket } = request;
    let queue = queueOfSocket.get(socket);
    if (queue === undefined) {
      queue = new RequestQueue(socket, { listener, logger, bound, turns });
      queueOfSocket.set(socket, queue);
    }
    queue.add({ request, response });
  };
}

/** Returns the requests of a connection, or undefined before its first one. */
export function requestQueueOf(socket: Duplex): RequestQueue | undefined {
  return queueOfSocket.get(socket);
}

interface RequestQueueOptions {
  readonly listener: RequestListener;
  readonly logger: Logger;
  readonly bound: RequestBound;
  readonly turns: RequestTurns;
}

/** The requests of one connection. One is being answered, the others wait. */
export class RequestQueue {
  readonly #socket: Duplex;
  readonly #listener: RequestListener;
  readonly #logger: Logger;
  readonly #bound: RequestBound;
  readonly #turns: RequestTurns;
  readonly #onClose = () => this.#goOn();
  readonly #onComplete = () => this.#leaveCurrent();
  #waiting: Exchange[] = [];
  #waitingHeaderLength = 0;
  #current: Exchange | undefined;
  #latest: Exchange | undefined;
  #onAllAnswered: (() => void) | undefined;

  constructor(socket: Duplex, { listener, logger, bound, turns }: RequestQueueOptions) {
    this.#socket = socket;
    this.#listener = listener;
    this.#logger = logger;
    this.#bound = bound;
    this.#turns = turns;
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
    this.#bound.enter(exchange.request);
    this.#startInTurn(exchange);
  }

  #startInTurn(exchange: Exchange): void {
    if (isAnsweredAtOnce(exchange.request)) this.#start(exchange);
    else this.#turns.start(() => this.#start(exchange));
  }

  #start(exchange: Exchange): void {
    if (!this.#socket.writable) {
      this.#bound.leave(exchange.request);
      this.#waiting = [];
      return;
    }
    // Each event comes once. A listener of its own for each request would cost more than the rest of this class.
    exchange.response.on("prefinish", this.#onComplete).on("close", this.#onClose);
    this.#listener(exchange.request, exchange.response);
  }

  /** Starts the next request in a later turn of the event loop, so that other connections get theirs. */
  #goOn(): void {
    this.#leaveCurrent();
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

  /** A complete answer that the client does not read counts no longer: `unread-responses.ts` limits those. */
  #leaveCurrent(): void {
    if (this.#current !== undefined) this.#bound.leave(this.#current.request);
  }

  #endConnection({ request }: Exchange): void {
    this.#waiting = [];
    const message = "A client sent too many requests without waiting for responses. Its connection was closed.";
    this.#logger.info({ remote: request.socket.remoteAddress }, message);
    this.#socket.destroy();
  }
}

function headerLengthOf({ request }: Exchange): number {
  return request.rawHeaders.reduce((length, text) => length + text.length, 0);
}
