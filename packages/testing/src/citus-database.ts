/** Runs statements on a database, each as its own transaction if there is one only. */
type RunStatements = (databaseUrl: string, statements: string) => Promise<unknown>;

/**
 * The workers of the Citus whose coordinator `TEST_SITEWARD_POSTGRES_URL` names, such as `127.0.0.1:5501`. The tests then run on
 * databases that all nodes share.
 */
export const citusWorkers: readonly string[] = (process.env["TEST_SITEWARD_CITUS_WORKERS"] ?? "")
  .split(",")
  .filter((worker) => worker !== "");

/** Makes a new database of the coordinator one that the workers share. A few shards are enough for tests, and ten times as fast. */
export async function shareWithWorkers(databaseUrl: string, run: RunStatements): Promise<void> {
  if (citusWorkers.length === 0) return;
  const { hostname, port, pathname } = new URL(databaseUrl);
  for (const worker of citusWorkers) {
    await run(onWorker(databaseUrl, worker, "postgres"), `create database "${pathname.slice(1)}"`);
    await run(onWorker(databaseUrl, worker), "create extension citus");
  }
  await run(databaseUrl, `alter database "${pathname.slice(1)}" set citus.shard_count = 4; create extension citus`);
  const nodes = citusWorkers.map((worker) => `citus_add_node('${worker.replace(":", "', ")})`).join(", ");
  await run(databaseUrl, `select citus_set_coordinator_host('${hostname}', ${port}); select ${nodes}`);
}

/** Drops the database from the workers, after the coordinator has dropped it. */
export async function dropFromWorkers(databaseUrl: string, run: RunStatements): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  for (const worker of citusWorkers) {
    await run(onWorker(databaseUrl, worker, "postgres"), `drop database if exists "${name}" with (force)`);
  }
}

function onWorker(databaseUrl: string, worker: string, database?: string): string {
  const url = Object.assign(new URL(databaseUrl), { host: worker });
  return (database === undefined ? url : Object.assign(url, { pathname: `/${database}` })).href;
}
