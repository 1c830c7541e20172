import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("../../../test/support/storage/commit-past-limit.ts", import.meta.url));
/** The unit of `ulimit -f` in POSIX. */
const blockBytes = 512;

// The attack on the disk holds that the change is gone for good once the log is overwritten.
it("a commit to SQLite that fails after it was entirely written to a log that cannot be overwritten has an unknown outcome, and no reader sees it", async () => {
  await using rehearsal = await createDatabase();
  await using created = await createDatabase();
  const { logBytes } = await commit(rehearsal.path);
  // The file size limit is right after the last frame of the commit.
  const maxBlocks = Math.floor((logBytes - 1) / blockBytes);
  expect(await commit(created.path, maxBlocks)).toMatchObject({ failure: "outcome_unknown", seen: 0 });
});

interface Report {
  readonly failure: unknown;
  readonly seen: number;
  readonly logBytes: number;
}

async function commit(path: string, maxBlocks?: number): Promise<Report> {
  const script = 'ulimit -f "$1"; shift; exec "$@"';
  const command = [String(maxBlocks ?? "unlimited"), process.execPath, program, path];
  const child = spawn("sh", ["-c", script, "sh", ...command], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const printed = await text(child.stdout);
  await ended;
  expect(child.signalCode).toBe("SIGKILL");
  return JSON.parse(printed);
}

/** Creates a database with one row per page, so that a transaction writes as many pages as it changes rows. */
async function createDatabase(): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "siteward-"));
  const path = join(folder, "test.db");
  using database = new DatabaseSync(path);
  database.exec("create table pages (id integer primary key, content text, filler text)");
  const insert = database.prepare("insert into pages (id, content, filler) values (?, 'first', ?)");
  for (let id = 1; id <= 20; id += 1) insert.run(id, "x".repeat(3_000));
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
