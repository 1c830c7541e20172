import { copyFile, rename, stat, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { createTestAccount, openWithTestAuthor } from "../../../test/support/storage.ts";
import { openSqliteFile } from "./open-sqlite.ts";

describe("a SQLite file", () => {
  it.each([
    ["relative", (path: string) => `file:${relative(process.cwd(), path)}`],
    ["a URL", (path: string) => pathToFileURL(path).href],
  ])("is created with its folders, for this user only, if its path is %s", async (_, toUrl) => {
    await using place = await engines.sqlite();
    const folder = join(dirname(place.path), "new");
    const path = join(folder, "deep", "site ward.db");
    await using storage = await openWithTestAuthor({ databaseUrl: toUrl(path) });
    await createTestAccount(storage);
    const modes = [folder, dirname(path), path, `${path}-wal`].map(modeOf);
    expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600, 0o600]);
  });

  it("is ready behind a symbolic link in another folder", async () => {
    await using place = await engines.sqlite({ isMigrated: true });
    await using other = await engines.sqlite();
    await symlink(place.path, other.path);
    await using storage = await openWithTestAuthor(other);
    await createTestAccount(storage);
    await storage.ping();
  });

  it("is not created in place of one that was moved while a program used it", async () => {
    await using place = await engines.sqlite();
    await using storage = await openWithTestAuthor(place);
    await createTestAccount(storage);
    await rename(place.path, `${place.path}.moved`);
    await expect(openWithTestAuthor(place)).rejects.toThrow("its write-ahead log");
    await rename(`${place.path}.moved`, place.path);
    await using other = await openWithTestAuthor(place);
    expect(await other.accounts.list()).toHaveLength(1);
  });

  it("keeps the log that a killed process left, until a connection that writes has erased what was deleted", async () => {
    await using place = await engines.sqlite();
    await using left = await engines.sqlite();
    {
      await using storage = await openWithTestAuthor(place);
      await createTestAccount(storage);
      for (const end of ["", "-wal"]) await copyFile(place.path + end, left.path + end);
    }
    const location = { databaseUrl: left.databaseUrl, setting: "DATABASE_URL" };
    const { close } = await openSqliteFile({ ...location, mustExist: true, mustBeWritable: false });
    expect((await stat(`${left.path}-wal`)).size).toBeGreaterThan(0);
    await close();
  });
});

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}
