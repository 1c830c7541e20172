import type { ServerResponse } from "node:http";
import type { Logger } from "pino";

/** How much clients may leave unread. */
interface UnreadLimits {
  /** How long a client may take to read a response. */
  readonly answerMs: number;
  /** How many bytes of responses all clients together may leave unread. */
  readonly maxUnreadBytes: number;
}

interface UnreadResponse {
  readonly response: ServerResponse;
  /** Those that only this response needs. */
  readonly bytes: number;
  readonly hasSharedBytes: boolean;
  readonly sinceMs: number;
}

/**
 * Limits the responses that clients have not read yet. Node keeps each in memory until the client has read it, without a
 * limit of its own.
 */
export class UnreadResponses {
  readonly #limits: UnreadLimits;
  readonly #logger: Logger;
  readonly #answers = new Map<ServerResponse, UnreadResponse>();
  #bytes = 0;

  constructor(limits: UnreadLimits, logger: Logger) {
    this.#limits = limits;
    this.#logger = logger;
  }

  /**
   * Notes that a response is complete and waits to be read.
   *
   * @param sharedBytes how many of its bytes other responses share
   */
  add(response: ServerResponse, sharedBytes: number): void {
    const { socket } = response;
    // A client that has disconnected reads nothing, and nothing is kept for it.
    if (socket === null || socket.destroyed) return;
    const unreadBytes = socket.writableLength;
    // The system has taken all of it, as with almost every response. Nothing is kept here for the client to read.
    if (unreadBytes === 0) return;
    // A page is in memory once, however many clients do not read it. Else 140 clients that read no script of the page at `/docs`
    // would end the connections of others.
    const bytes = Math.max(0, unreadBytes - sharedBytes);
    this.#answers.set(response, { response, bytes, hasSharedBytes: sharedBytes > 0, sinceMs: performance.now() });
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.maxUnreadBytes) this.#makeRoom(response);
  }

  /** Notes that a response was read, or never will be. */
  remove(response: ServerResponse): void {
    const answer = this.#answers.get(response);
    if (answer === undefined) return;
    this.#answers.delete(response);
    this.#bytes -= answer.bytes;
  }

  /** Ends the connections of clients that have not read their response in time. Call this every few seconds. */
  endLate(nowMs: number): void {
    for (const answer of this.#answers.values()) {
      // The others are younger.
      if (nowMs - answer.sinceMs < this.#limits.answerMs) return;
      this.#end(
        answer,
        `A client did not read its response within ${this.#limits.answerMs} ms. Its connection was closed.`,
      );
    }
  }

  /**
   * Ends connections until the limit is kept, starting with the oldest response: a client that reads has read such an old
   * one long ago. One with shared bytes has only its head, so its end makes no room.
   */
  #makeRoom(newest: ServerResponse): void {
    for (const answer of this.#answers.values()) {
      if (answer.response === newest || this.#bytes <= this.#limits.maxUnreadBytes) return;
      if (answer.hasSharedBytes) continue;
      this.#end(answer, "Clients left too many responses unread. The connection of the oldest was closed.");
    }
  }

  #end(answer: UnreadResponse, message: string): void {
    this.remove(answer.response);
    this.#logger.info({ remote: answer.response.socket?.remoteAddress, bytes: answer.bytes }, message);
    answer.response.destroy();
  }
}
