import { recordLastBackup } from "../../src/storage/moving/last-backup.ts";
import { runInProcess } from "./run-in-process.ts";
import { type ProgramResult, startWrapped } from "./run-program.ts";
import type { TestDatabase, TestEngine } from "./test-database.ts";

/** A finding as `doctor --json` prints it. */
interface PrintedFinding {
  readonly code: string;
  readonly status: "ok" | "warning" | "failure" | "skipped";
  readonly what: string;
  readonly fix: string | null;
  readonly depends_on: string | null;
}

export interface DoctorRun {
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly findings: readonly PrintedFinding[];
  /** The findings that are not ok, as `status code: what fix`. */
  readonly faults: readonly string[];
}

/** Runs `doctor --json`, and checks that only JSON is on its standard output. */
export async function runDoctor(
  databaseUrl: string,
  environment: Record<string, string> = {},
  words: readonly string[] = [],
): Promise<DoctorRun> {
  return read(await runInProcess(["doctor", "--json", ...words], { DATABASE_URL: databaseUrl, ...environment }));
}

interface BuiltOptions {
  readonly words?: readonly string[];
  readonly environment?: Record<string, string>;
  /** The command line in front of the program. */
  readonly wrapper?: readonly string[];
}

/** Runs the built program, which takes a quarter of a second. */
export async function runBuiltDoctor(databaseUrl: string, options: BuiltOptions = {}): Promise<DoctorRun> {
  const { words = [], environment = {}, wrapper = [] } = options;
  await using program = startWrapped(wrapper, ["doctor", "--json", ...words], {
    DATABASE_URL: databaseUrl,
    ...environment,
  });
  return read(await program.ended);
}

function read({ exitCode, stdout, stderr }: ProgramResult): DoctorRun {
  const findings: readonly PrintedFinding[] = JSON.parse(stdout).data;
  const render = ({ status, code, what, fix }: PrintedFinding) => `${status} ${code}: ${what} ${fix}`;
  const faults = findings.filter(({ status }) => /warning|failure/.test(status));
  return { exitCode, stderr, findings, faults: faults.map(render) };
}

/** Opens a database that doctor has nothing to say about: it has a key that expires, and a recent backup. */
export async function openSound(engine: TestEngine): Promise<TestDatabase> {
  const database = await engine({ isMigrated: true });
  const environment = { DATABASE_URL: database.databaseUrl };
  await runInProcess(["accounts", "create", "--name", "Acme", "--email", "a@acme.example"], environment);
  await runInProcess(["keys", "create", "--account", "1", "--name", "ci", "--expires", "90d"], environment);
  if (database.engine === "sqlite") await recordLastBackup(database.databaseUrl.slice("file:".length), new Date());
  return database;
}
