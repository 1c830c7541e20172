import { chmod, lchown, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteFile } from "@siteward/testing/engines/sqlite";
import { toTestDatabase } from "../engines.ts";
import { fillInstallation } from "./fill-installation.ts";

/** A folder with a database of four accounts and 20 websites in `data`. It is deleted after the test. */
export async function createFilledPlace() {
  const folder = await mkdtemp(join(tmpdir(), "siteward-"));
  const data = join(folder, "data");
  const database = toTestDatabase(openSqliteFile(join(data, "siteward.db")));
  await fillInstallation(database.databaseUrl, 20);
  return {
    ...database,
    folder,
    data,
    /** Gives the folder of the database to a user, who can get there. */
    async giveAway(userId: number): Promise<void> {
      await chmod(folder, 0o755);
      for (const name of ["", ...(await readdir(data))]) await lchown(join(data, name), userId, userId);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export type FilledPlace = Awaited<ReturnType<typeof createFilledPlace>>;
