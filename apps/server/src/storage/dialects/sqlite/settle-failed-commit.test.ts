import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../../../test/support/storage/commit-past-limit.ts", import.meta.url));
/** The unit of `ulimit -f` in POSIX. */
const blockBytes = 512;

describe("a commit to SQLite that fails after all of it was written to the log", () => {
  it("is kept by recovery if nothing is done about it", async () => {
    await using made = await makeDatabase();
    // The same frames, committed without a fault: what a crash finds in the log.
    await commit(made.path, { pages: 3 });
    expect(countFailed(made.path)).toBe(3);
  });

  it("says that nothing was changed once the log is written over, and a crash does not bring the change back", async () => {
    await using made = await makeDatabase();
    expect(await failCommit(made.path, { pages: 3 })).toMatchObject({ failure: { reason: "unavailable" }, seen: 0 });
    expect(countFailed(made.path)).toBe(0);
  });

  it("says that the outcome is unknown if the log cannot be written over, and shows the change to nobody", async () => {
    await using made = await makeDatabase();
    const unknown = { reason: "outcome-unknown" };
    expect(await failCommit(made.path, { pages: 1 })).toMatchObject({ failure: unknown, seen: 0 });
  });
});

interface Report {
  readonly failure: unknown;
  readonly seen: number;
  readonly logBytes: number;
}

/** Commits with a limit right after the last frame of the commit, which a run without a limit finds. */
async function failCommit(path: string, work: { pages: number }): Promise<Report> {
  await using rehearsal = await makeDatabase();
  const { logBytes } = await commit(rehearsal.path, work);
  return commit(path, { ...work, maxBlocks: Math.floor((logBytes - 1) / blockBytes) });
}

async function commit(path: string, { pages, maxBlocks }: { pages: number; maxBlocks?: number }): Promise<Report> {
  const script = 'ulimit -f "$1"; shift; exec "$@"';
  const command = [String(maxBlocks ?? "unlimited"), process.execPath, program, path, String(pages)];
  const child = spawn("sh", ["-c", script, "sh", ...command], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const printed = await text(child.stdout);
  await ended;
  expect(child.signalCode).toBe("SIGKILL");
  return JSON.parse(printed);
}

/** Opens the database as the next start after a crash does. */
function countFailed(path: string): unknown {
  using database = new DatabaseSync(path);
  expect(database.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  return database.prepare("select count(*) as count from pages where content = 'failed'").get()?.["count"];
}

/** Rows with a page each, so that a transaction writes as many pages as it changes rows. */
async function makeDatabase(): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "siteward-"));
  const path = join(folder, "test.db");
  using database = new DatabaseSync(path);
  database.exec("create table pages (id integer primary key, content text, filler text)");
  const insert = database.prepare("insert into pages (id, content, filler) values (?, 'first', ?)");
  for (let id = 1; id <= 20; id += 1) insert.run(id, "x".repeat(3_000));
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
