import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../../test/support/storage/commit-past-limit.ts", import.meta.url));
/** The unit of `ulimit -f` in POSIX. */
const blockBytes = 512;

describe("a commit to SQLite that fails after it was entirely written to the log", () => {
  it.each([
    ["is reported as unavailable once the log is overwritten, and recovery does not restore the change", 3, "database"],
    ["has an unknown outcome if the log cannot be overwritten, and no reader sees the change", 1, "outcome_unknown"],
  ] as const)("%s", async (_, pages, failure) => {
    await using rehearsal = await createDatabase();
    const { logBytes } = await commit(rehearsal.path, { pages });
    // The same frames, committed without a failure, are what recovery finds in the log after a crash.
    expect(countFailed(rehearsal.path)).toBe(pages);
    await using created = await createDatabase();
    // Right after the last frame of the commit.
    const maxBlocks = Math.floor((logBytes - 1) / blockBytes);
    expect(await commit(created.path, { pages, maxBlocks })).toMatchObject({ failure, seen: 0 });
    if (failure === "database") expect(countFailed(created.path)).toBe(0);
  });
});

interface Report {
  readonly failure: unknown;
  readonly seen: number;
  readonly logBytes: number;
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

/** Opens the database like the next start after a crash, and counts the rows of the failed change. */
function countFailed(path: string): unknown {
  using database = new DatabaseSync(path);
  expect(database.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  return database.prepare("select count(*) as count from pages where content = 'failed'").get()?.["count"];
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
