import type { ClientBase, Connection, PoolClient } from "pg";
import { isAnnotated } from "../connection.ts";
import type { DriverQuery } from "./driver-query.ts";

/** What the types of the driver leave out of its connection. */
interface WireConnection extends Connection {
  /** The texts of the named statements that the server has parsed, and of those that were sent to it. */
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The rows of a statement as the server sent them. */
interface Answer {
  fields: readonly Field[];
  readonly rows: (readonly (string | null)[])[];
}

/** A statement of a group that failed. Nothing of the group was stored, unless the error leaves that open. */
export class StatementFailure extends Error {
  override readonly name = "StatementFailure";
  /** The place of the statement in the group. As large as the group if the commit failed. */
  readonly index: number;

  constructor(cause: unknown, index: number) {
    super("A statement of a group failed.", { cause });
    this.index = index;
  }
}

/**
 * Statements that are sent at once and are one transaction: one round trip and one commit. To the server, everything between two
 * messages of the kind `Sync` is one. So only its answer to this message says that something was stored.
 *
 * The driver calls `submit`, and then a method for each message of the server.
 */
export class StatementGroup {
  /** The driver replaces it by one that also ends its timeout. */
  callback: (error: Error | null) => void;
  /**
   * Whether the group failed before the server had parsed all its named statements. Then nobody can use the connection again: PgBouncer
   * counts what the server has skipped as parsed, and ends a connection that sends it again.
   */
  hasUnparsed = false;
  readonly #queries: readonly DriverQuery[];
  readonly #answers: Answer[];
  readonly #done = Promise.withResolvers<void>();
  /** The place of the statement that is being answered. */
  #index = 0;

  constructor(queries: readonly DriverQuery[]) {
    this.#queries = queries;
    this.#answers = queries.map(() => ({ fields: [], rows: [] }));
    this.callback = (error) => {
      if (error === null) this.#done.resolve();
      else this.#done.reject(new StatementFailure(error, this.#index));
    };
  }

  /** The driver notes under it what the server has parsed. */
  get name(): string | undefined {
    return this.#queries[this.#index]?.name;
  }

  get text(): string | undefined {
    return this.#queries[this.#index]?.text;
  }

  /** @returns the rows of each statement. @throws StatementFailure */
  async run(client: PoolClient): Promise<unknown[][]> {
    client.query(this);
    await this.#done.promise;
    return this.#queries.map((query, index) => readRows(client, query, this.#answers[index]));
  }

  /** Returns an error instead of sending anything. */
  submit(driverConnection: Connection): Error | null {
    // The cast is safe: every connection of the driver has these fields.
    const connection = driverConnection as WireConnection;
    let bound: Parameter[][];
    try {
      bound = this.#queries.map(({ values }) => values.map(toParameter));
    } catch (error) {
      return error instanceof Error ? error : new TypeError(String(error));
    }
    connection.stream.cork();
    for (const [index, query] of this.#queries.entries()) sendStatement(connection, query, bound[index] ?? []);
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    const answer = this.#answers[this.#index];
    if (answer !== undefined) answer.fields = fields;
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#answers[this.#index]?.rows.push(fields);
  }

  handleCommandComplete(): void {
    this.#index += 1;
  }

  /** The server skips the rest of the group. */
  handleError(error: Error, connection: Connection): void {
    // The cast is safe, as in `submit`.
    const { parsedStatements } = connection as WireConnection;
    this.hasUnparsed = this.#queries.some(({ name }) => name !== undefined && parsedStatements[name] === undefined);
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }
}

function sendStatement(connection: WireConnection, { name = "", text }: DriverQuery, values: Parameter[]): void {
  const { parsedStatements, submittedNamedStatements } = connection;
  if (name === "" || (parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
    connection.parse({ name, text, types: [] }, true);
    if (name !== "") submittedNamedStatements[name] = text;
  }
  connection.bind({ statement: name, values }, true);
  connection.describe({ type: "P" }, true);
  connection.execute(null, true);
}

type Parameter = string | Buffer | null;

/** Values of changes are text, numbers, bytes or nothing. */
function toParameter(value: unknown): Parameter {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === "object") throw new TypeError("A statement has a value that is an object.");
  return String(value);
}

function readRows(client: Pick<ClientBase, "getTypeParser">, { query }: DriverQuery, answer: Answer | undefined) {
  const { fields, rows } = answer ?? { fields: [], rows: [] };
  const parsers = fields.map(({ dataTypeID }) => client.getTypeParser(dataTypeID, "text"));
  const parsed = rows.map((row) => row.map((text, column) => (text === null ? null : parsers[column]?.(text))));
  if (isAnnotated(query) && query.readRows !== undefined) return query.readRows(parsed);
  return parsed.map((row) => Object.fromEntries(fields.map(({ name }, column) => [name, row[column]])));
}
