import pg from "pg";

/** Locks a table of PostgreSQL against everybody else, as if the server that has it did not answer. */
export async function lockTable(databaseUrl: string, name: string): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`begin; lock table ${name} in access exclusive mode`);
  return { [Symbol.asyncDispose]: () => client.end() };
}
