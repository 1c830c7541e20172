import { noAccount } from "../whose-turn.ts";

/** Returns what stores an account. Accounts with the same number hang together. */
export type NodeOf = (accountId: number) => number;

/** The use of a connection by an account. */
export interface Turn {
  readonly accountId: number;
  /** The node whose circuit breaker watches this turn. Undefined if none does. */
  watchedNode: number | undefined;
  /** Makes the database end what it does in this turn, which then fails. Undefined if nothing can. */
  cancel: (() => void) | undefined;
}

/** What a circuit breaker says of a new turn: it may begin, it may begin to try the node, or it must wait. */
export type BreakerState = "on" | "off" | "trying";

/** The breaker of the node that has been off for longest is forgotten. Its next turn would only be one of several. */
const maxNodes = 10_000;

/**
 * One circuit breaker for each node of the database. When a turn hangs, no other one begins on its node until it has ended. If it
 * ended without an answer, only one turn at a time tries the node, until one is answered.
 *
 * So a node that stops takes few connections, however many of its accounts send requests. A database without nodes counts each
 * account as one, because its rows can be locked.
 */
export class CircuitBreakers {
  readonly #nodeOf: NodeOf;
  /** The nodes that hang, with their turns that hang or try. */
  readonly #off = new Map<number, Set<Turn>>();
  readonly #listeners: (() => void)[] = [];

  constructor(nodeOf: NodeOf) {
    this.#nodeOf = nodeOf;
  }

  /** Calls the listener when turns may begin that could not before. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Whether no node hangs. */
  get areOn(): boolean {
    return this.#off.size === 0;
  }

  stateOf(accountId: number): BreakerState {
    if (this.#off.size === 0 || accountId === noAccount) return "on";
    const turns = this.#off.get(this.#nodeOf(accountId));
    if (turns === undefined) return "on";
    return turns.size === 0 ? "off" : "trying";
  }

  /** Watches a turn that hangs, or that tries a node. */
  watch(turn: Turn): void {
    if (turn.accountId === noAccount || turn.watchedNode !== undefined) return;
    const node = this.#nodeOf(turn.accountId);
    const [oldest] = this.#off.keys();
    if (this.#off.size >= maxNodes && !this.#off.has(node) && oldest !== undefined) this.#off.delete(oldest);
    const turns = this.#off.get(node) ?? new Set();
    this.#off.set(node, turns.add(turn));
    turn.watchedNode = node;
  }

  /** @param isAnswered whether the database answered, however late */
  noteEnd(turn: Turn, isAnswered: boolean): void {
    const node = turn.watchedNode;
    const turns = node === undefined ? undefined : this.#off.get(node);
    if (node === undefined || turns?.delete(turn) !== true) return;
    if (isAnswered) this.#off.delete(node);
    for (const listener of this.#listeners) listener();
  }
}
