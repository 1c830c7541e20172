import type { RequestListener } from "node:http";
import type { Duplex } from "node:stream";
import type { Request, Response } from "express";
import type { Logger } from "pino";
import { endConnection } from "./drain.ts";
import { type Exchange, MutableExchange } from "./exchange.ts";
import type { Application } from "./send.ts";

/** How many unanswered requests a connection may have. Clients that pipeline send 10 to 16 at a time. */
const maxUnanswered = 32;
/** How many characters the headers of waiting requests may have in total. Those of a browser have 500 to 2,000. */
const maxWaitingHeaderLength = 64 * 1024;

/** How many bytes of answers all clients together may leave unread. The largest page takes 2 MB. */
const maxUnreadBytes = 64 * 1024 * 1024;

/** Where the requests of all connections go, and what their complete answers pass. */
interface Destination {
  readonly answer: Application["answer"];
  readonly unread: UnreadAnswers;
  readonly logger: Logger;
  readonly publicUrl: string | undefined;
}

/** The requests of each connection, from its first one on. */
export const turnsOf: WeakMap<Duplex, Turns> = new WeakMap();

/**
 * Answers the requests of each connection one at a time, in the order they came. The next one starts when the response
 * before it has left the process. So if a client sends requests and reads no responses, the server keeps one response
 * in memory, not all of them. A connection with too many unanswered requests is ended: Node would start all of the 64
 * KiB that it reads at once.
 */
export function inTurn(destination: Destination): RequestListener {
  return (request, response) => {
    const { socket } = request;
    const turns = turnsOf.get(socket) ?? new Turns(socket, destination);
    turnsOf.set(socket, turns);
    // The casts are safe: the server creates messages of the application's classes, which are Express's
    // (`toMessages`).
    turns.add(new MutableExchange(request as Request, response as Response, destination.publicUrl));
  };
}

/** The requests of one connection. One is being answered, the others wait. */
export class Turns {
  readonly #socket: Duplex;
  readonly #destination: Destination;
  /** Every request gets the same functions. Functions of its own would cost more than the rest of this class. */
  readonly #onComplete = () => {
    if (this.#current === undefined) return;
    this.#current.endAnswer();
    // The system has taken all of almost every answer, so that nothing is kept for the client.
    if (this.#socket.writableLength > 0) this.#destination.unread.add(this.#current);
  };
  /** Starts the next request in a later turn of the event loop, so that other connections get theirs. */
  readonly #onClose = () => {
    if (this.#current !== undefined) {
      this.#current.endAnswer();
      this.#destination.unread.remove(this.#current);
    }
    if (!this.#socket.writable) this.#waiting = [];
    const next = this.#waiting.shift();
    this.#current = next;
    if (next === undefined) this.#onAllAnswered?.();
    else setImmediate(() => this.#start(next));
  };
  #waiting: Exchange[] = [];
  #current: Exchange | undefined;
  /** The latest request, answered or not. */
  #latest: Exchange | undefined;
  #onAllAnswered: (() => void) | undefined;

  constructor(socket: Duplex, destination: Destination) {
    this.#socket = socket;
    this.#destination = destination;
  }

  add(exchange: Exchange): void {
    // After a response that says it is the last, a request must not be processed (RFC 9112, section 9.6).
    if (!this.#socket.writable) return;
    this.#latest = exchange;
    if (this.#current === undefined) this.#start(exchange);
    else this.#wait(exchange);
  }

  /**
   * Calls back once every request is answered that came before a fault in the latest request, or after it. If an answer
   * has said that it is the last, the connection ends instead.
   */
  onFault(answer: () => void): void {
    const latest = this.#latest;
    const last = this.#waiting.at(-1) ?? this.#current;
    const isOfBody = latest !== undefined && !latest.request.complete;
    // It may already have its response, such as a 401.
    if (isOfBody && latest.response.headersSent) endConnection(this.#socket);
    else if (isOfBody) {
      // The application must not answer it.
      if (latest !== this.#waiting.pop()) answer();
      else this.whenAllAnswered(answer);
    } else if (last === undefined) answer();
    else {
      if (!last.response.headersSent) last.response.setHeader("Connection", "close");
      this.whenAllAnswered(() => endConnection(this.#socket));
    }
  }

  /** Calls back once every request is answered. If no request waits, this happens at once. */
  whenAllAnswered(onAllAnswered: () => void): void {
    if (this.#current === undefined) onAllAnswered();
    else this.#onAllAnswered = onAllAnswered;
  }

  #wait(exchange: Exchange): void {
    this.#waiting.push(exchange);
    const headerLength = this.#waiting.reduce((length, { request }) => length + request.rawHeaders.join("").length, 0);
    if (this.#waiting.length < maxUnanswered && headerLength <= maxWaitingHeaderLength) return;
    this.#waiting = [];
    const message = "A client sent too many requests without waiting for responses. Its connection was closed.";
    this.#destination.logger.info({ remote: exchange.request.socket.remoteAddress }, message);
    this.#socket.destroy();
  }

  #start(exchange: Exchange): void {
    this.#current = exchange;
    if (!this.#socket.writable) return;
    // Each event comes once: when the response is complete and waits to be read, and when it was read or never will be.
    exchange.response.on("prefinish", this.#onComplete).on("close", this.#onClose);
    this.#destination.answer(exchange);
  }
}

/**
 * Limits the complete answers that clients have not read yet. Node keeps each in memory until the client has read it,
 * without a limit of its own, and its time limits end no connection whose client reads a byte now and then.
 */
export class UnreadAnswers {
  readonly #answers = new Map<Exchange, { readonly bytes: number; readonly sinceMs: number }>();
  readonly #maxMs: number;
  readonly #logger: Logger;
  #bytes = 0;

  /** @param maxMs how long a client may take to read an answer */
  constructor(maxMs: number, logger: Logger) {
    this.#maxMs = maxMs;
    this.#logger = logger;
  }

  /** Notes that an answer is complete. */
  add(exchange: Exchange): void {
    const { socket } = exchange.response;
    if (socket === null || socket.destroyed) return;
    // A page is in memory once, however many clients do not read it.
    const bytes = Math.max(0, socket.writableLength - exchange.sharedBytes);
    this.#answers.set(exchange, { bytes, sinceMs: performance.now() });
    this.#bytes += bytes;
    // The oldest go first: a client that reads has read such an old one long ago.
    for (const [oldest, { bytes: freed }] of this.#answers) {
      if (this.#bytes <= maxUnreadBytes || oldest === exchange) return;
      if (freed > 0)
        this.#end(oldest, "Clients left too many responses unread. The connection of the oldest was closed.");
    }
  }

  /** Notes that an answer was read, or never will be. */
  remove(exchange: Exchange): void {
    this.#bytes -= this.#answers.get(exchange)?.bytes ?? 0;
    this.#answers.delete(exchange);
  }

  /** Ends the connections of clients that have not read their answer in time. Call this every few seconds. */
  endLate(): void {
    for (const [exchange, { sinceMs }] of this.#answers) {
      // The others are younger.
      if (performance.now() - sinceMs < this.#maxMs) return;
      this.#end(exchange, `A client did not read its response within ${this.#maxMs} ms. Its connection was closed.`);
    }
  }

  #end(exchange: Exchange, message: string): void {
    const { response } = exchange;
    this.#logger.info({ remote: response.socket?.remoteAddress, bytes: this.#answers.get(exchange)?.bytes }, message);
    this.remove(exchange);
    response.destroy();
  }
}
