import { type Connection, ownQuery, type SqlQuery } from "../engine/connection.ts";
import { sql } from "../engine/statement.ts";

/** A range of hashes of account IDs, and the node that stores these accounts. */
interface Shard {
  readonly first: number;
  readonly last: number;
  readonly node: number;
}

/** How old the list may be. It changes when the operator moves shards. */
const maxAgeMs = 10_000;

/** Knows which node of Citus stores an account, since accounts on one node hang together. */
export class AccountNodes {
  readonly #reader: Connection;
  #shards: readonly Shard[] = [];
  #readAtMs = 0;

  /** Begins to read the list. Until then, each account has a number of its own. */
  constructor(reader: Connection) {
    this.#reader = reader;
    void this.#read();
  }

  get count(): number {
    return Math.max(1, new Set(this.#shards.map(({ node }) => node)).size);
  }

  /** Returns the number of the node, from 0 to `count` - 1. Of an account whose node is not known, it is the ID. */
  nodeOf(accountId: number): number {
    if (performance.now() - this.#readAtMs > maxAgeMs) void this.#read();
    const hash = hashAccountId(accountId);
    return this.#shards.find(({ first, last }) => first <= hash && hash <= last)?.node ?? accountId;
  }

  async #read(): Promise<void> {
    this.#readAtMs = performance.now();
    // If it cannot be read, what is known stays.
    this.#shards = await this.#reader.execute(shardsOfAccounts).catch(() => this.#shards);
  }
}

/**
 * Returns in which line the work of an account waits. Each node has as many lines as its share of the connections, so
 * that one that hangs takes no more of them. Without nodes, each account has its own.
 */
export function lineByNode(nodes: AccountNodes | undefined, connections: number): (accountId: number) => number {
  if (nodes === undefined) return (accountId) => accountId;
  return (accountId) => {
    const lines = Math.max(1, Math.floor(connections / nodes.count));
    return nodes.nodeOf(accountId) * lines + (accountId % lines);
  };
}

const shardsOfAccounts: SqlQuery<Shard> = ownQuery(sql`
  select shardminvalue::integer as first, shardmaxvalue::integer as last,
    (dense_rank() over (order by groupid) - 1)::integer as node
  from pg_dist_shard join pg_dist_placement using (shardid)
  where logicalrelid = to_regclass('accounts')`);

/** Returns PostgreSQL's hash of a 64-bit integer (`hashint8`), by which Citus chooses the shard. IDs are never negative. */
export function hashAccountId(accountId: number): number {
  // The function is that of Bob Jenkins (lookup3) for one word, with PostgreSQL's seed.
  let a = (0x9e3779b9 + 4 + 3_923_095) | 0;
  let b = a;
  let c = a;
  a = (a + ((accountId | 0) ^ Math.floor(accountId / 2 ** 32))) | 0;
  c = (c ^ b) - rotate(b, 14);
  a = (a ^ c) - rotate(c, 11);
  b = (b ^ a) - rotate(a, 25);
  c = (c ^ b) - rotate(b, 16);
  a = (a ^ c) - rotate(c, 4);
  b = (b ^ a) - rotate(a, 14);
  c = (c ^ b) - rotate(b, 24);
  return c | 0;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
