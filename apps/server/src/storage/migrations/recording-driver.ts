import { type CompiledQuery, type DatabaseConnection, DummyDriver, type QueryResult } from "kysely";

/** Tells of each statement instead of running it, and answers every one with nothing. */
export class RecordingDriver extends DummyDriver {
  readonly #onStatement: (statement: string) => void;

  constructor(onStatement: (statement: string) => void) {
    super();
    this.#onStatement = onStatement;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: async <Row>({ sql }: CompiledQuery): Promise<QueryResult<Row>> => {
        this.#onStatement(sql);
        return { rows: [] };
      },
      async *streamQuery() {},
    };
  }
}
