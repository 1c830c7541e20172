import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";

/** A request and the response that answers it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * How many requests one connection may have unanswered. Clients that pipeline send 10 to 16 at a time. Node reads up to
 * 64 KiB at once, which can hold 1,500 requests, and one that waits takes 1.5 kB.
 */
const maxUnanswered = 32;

const turnsKey = Symbol("turns");

declare module "node:stream" {
  interface Duplex {
    [turnsKey]?: Turns;
  }
}

/**
 * Answers the requests of one connection one at a time, in the order they came: the next one starts when the answer before
 * it has left the process. A client that sends requests and reads no answers thus makes the server hold one answer, not
 * all of them. A connection with more than 32 unanswered requests is ended.
 */
export function answerInTurn(listener: RequestListener, { logger }: { logger: Logger }): RequestListener {
  return (request, response) => {
    const { socket } = request;
    socket[turnsKey] ??= new Turns(socket, listener, logger);
    socket[turnsKey].add({ request, response });
  };
}

/** The requests of a connection; undefined before its first one. */
export function turnsOf(socket: Duplex): Turns | undefined {
  return socket[turnsKey];
}

/** The requests of one connection: one is being answered, the others wait. */
export class Turns {
  readonly #socket: Duplex;
  readonly #listener: RequestListener;
  readonly #logger: Logger;
  #waiting: Exchange[] = [];
  #current: Exchange | undefined;
  #latest: Exchange | undefined;
  #onAllAnswered: (() => void) | undefined;

  constructor(socket: Duplex, listener: RequestListener, logger: Logger) {
    this.#socket = socket;
    this.#listener = listener;
    this.#logger = logger;
  }

  /** The request that came last, answered or not. */
  get latest(): Exchange | undefined {
    return this.#latest;
  }

  /** The request that came last of those that are not answered. */
  get lastUnanswered(): Exchange | undefined {
    return this.#waiting.at(-1) ?? this.#current;
  }

  add(exchange: Exchange): void {
    if (this.#socket.destroyed) return;
    this.#latest = exchange;
    if (this.#current === undefined) this.#start(exchange);
    else if (this.#waiting.length + 1 < maxUnanswered) this.#waiting.push(exchange);
    else this.#endConnection(exchange);
  }

  /**
   * Takes back a request that the application must not answer.
   *
   * @returns whether it had not been started
   */
  remove(exchange: Exchange): boolean {
    const waitingBefore = this.#waiting.length;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== exchange);
    return this.#waiting.length < waitingBefore;
  }

  /** Calls back once every request is answered: at once if none waits. */
  whenAllAnswered(onAllAnswered: () => void): void {
    if (this.#current === undefined) onAllAnswered();
    else this.#onAllAnswered = onAllAnswered;
  }

  #start(exchange: Exchange): void {
    if (this.#socket.destroyed) return;
    this.#current = exchange;
    exchange.response.once("close", () => this.#goOn());
    this.#listener(exchange.request, exchange.response);
  }

  /** The next request starts in a later turn of the event loop, so that other connections get theirs. */
  #goOn(): void {
    const next = this.#socket.destroyed ? undefined : this.#waiting.shift();
    this.#current = next;
    if (next !== undefined) {
      setImmediate(() => this.#start(next));
      return;
    }
    this.#waiting = [];
    this.#onAllAnswered?.();
  }

  #endConnection({ request }: Exchange): void {
    this.#waiting = [];
    const message = `A client sent more than ${maxUnanswered} requests without waiting for answers; its connection was ended.`;
    this.#logger.info({ remote: request.socket.remoteAddress }, message);
    this.#socket.destroy();
  }
}
