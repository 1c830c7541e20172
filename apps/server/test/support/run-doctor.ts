import type { ProcessResult } from "@siteward/testing/start-process";
import { recordLastBackup } from "../../src/storage/moving/last-backup.ts";
import type { TestDatabase, TestEngine } from "./engines.ts";
import { runInProcess } from "./run-in-process.ts";
import { startUnprivileged } from "./run-program.ts";

/** A finding as `doctor --json` prints it. */
type PrintedFinding = Readonly<Record<"code" | "status" | "what" | "fix" | "depends_on", string | null>>;

/** Runs `doctor --json`, and checks that only JSON is on its standard output. */
export async function runDoctor(databaseUrl: string, environment: Record<string, string> = {}, words: string[] = []) {
  return read(await runInProcess(["doctor", "--json", ...words], { DATABASE_URL: databaseUrl, ...environment }));
}

/** Runs the built program, which takes a quarter of a second, as a user who is bound by the permissions of files. */
export async function runBuiltDoctor(databaseUrl: string, environment: Record<string, string> = {}) {
  await using program = startUnprivileged(["doctor", "--json"], { DATABASE_URL: databaseUrl, ...environment });
  return read(await program.ended);
}

/** Returns also the findings that are not ok, as `status code: what fix`. */
function read({ exitCode, stdout, stderr }: ProcessResult) {
  const findings: readonly PrintedFinding[] = JSON.parse(stdout).data;
  const faults = findings.filter(({ status }) => status === "warning" || status === "failure");
  const rendered = faults.map(({ status, code, what, fix }) => `${status} ${code}: ${what} ${fix}`);
  return { exitCode, stderr, findings, faults: rendered };
}

/** Opens a database that doctor has nothing to say about: it has a recent backup. */
export async function openSound(engine: TestEngine): Promise<TestDatabase> {
  const database = await engine({ isMigrated: true });
  await database.run("accounts create --name Acme --email a@acme.example");
  await database.run("keys create --account 1 --name ci --expires 90d");
  if (database.engine === "sqlite") await recordLastBackup(database.path, new Date());
  return database;
}
