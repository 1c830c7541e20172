import { chmod, lchown, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ProcessResult } from "@siteward/testing/start-process";
import { expect } from "vitest";
import { runInProcess } from "../run-in-process.ts";
import { fillInstallation } from "./fill-installation.ts";

/** A folder with a database of four accounts and 20 websites in `data`. It is deleted after the test. */
export async function createFilledPlace() {
  const folder = await mkdtemp(join(tmpdir(), "siteward-"));
  const path = join(folder, "data/siteward.db");
  const environment = { DATABASE_URL: `file:${path}` };
  await fillInstallation(environment.DATABASE_URL, 20);
  return {
    folder,
    path,
    environment,
    /** Runs a command of the operator on the database. */
    run: (...words: string[]): Promise<ProcessResult> => runInProcess(words, environment),
    /** Runs one that succeeds, and returns what it prints as JSON. */
    async operate(...words: string[]) {
      const { stdout, stderr } = await runInProcess([...words, "--json"], environment);
      expect(stderr).toBe("");
      return JSON.parse(stdout);
    },
    /** Gives the folder of the database to a user, who can get there. */
    async giveAway(userId: number): Promise<void> {
      await chmod(folder, 0o755);
      const data = join(folder, "data");
      for (const name of ["", ...(await readdir(data))]) await lchown(join(data, name), userId, userId);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export type FilledPlace = Awaited<ReturnType<typeof createFilledPlace>>;

/** Runs statements on a file, which is created if it does not exist. */
export function changeFile(path: string, statements: string): void {
  using database = new DatabaseSync(path);
  database.exec(statements);
}
