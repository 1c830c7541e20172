export type Row = Record<string, null | number | bigint | string | Uint8Array>;

/** The database of a running server, in which a test writes rows without the server's knowledge. */
export interface ServiceDatabase extends AsyncDisposable {
  /** Returns the row with the lowest id. */
  readFirst(table: string): Promise<Row>;
  insert(table: string, row: Row): void;
  execute(statement: string): void;
  /** Waits until everything is written that was inserted and executed before. */
  written(): Promise<void>;
}

/** Creates an empty database for a server. */
export type ServiceEngine = () => Promise<NewDatabase>;

export interface NewDatabase extends AsyncDisposable {
  /** The `DATABASE_URL` of the server. */
  readonly url: string;
  /** Opens it once the server has migrated it. */
  open(): Promise<ServiceDatabase>;
}
