import { copyFile, mkdtempDisposable, rename, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { testAuthor } from "../../../test/support/storage/with-test-author.ts";
import { openStorage } from "../open-storage.ts";
import { openSqliteFile } from "./open-sqlite.ts";

describe("a SQLite file", () => {
  it.each([
    ["relative", (path: string) => `file:${relative(process.cwd(), path)}`],
    ["a URL", (path: string) => pathToFileURL(path).href],
  ])("is created with its folders, for this user only, if its path is %s", async (_, toUrl) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
    const path = join(folder.path, "new", "deep", "site ward.db");
    const storage = await openStorage({ databaseUrl: toUrl(path) });
    await storage.accounts.createAll([{ name: "Acme", email: "a@acme.example", websiteLimit: null }], testAuthor);
    const modes = [join(folder.path, "new"), join(folder.path, "new", "deep"), path, `${path}-wal`].map(modeOf);
    expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600, 0o600]);
    await storage.close();
  });

  it("is ready behind a symbolic link in another folder", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
    const path = join(folder.path, "data", "a.db");
    await openStorage({ databaseUrl: `file:${path}` }).then((storage) => storage.close());
    await symlink(path, join(folder.path, "link.db"));
    const storage = await openStorage({ databaseUrl: `file:${join(folder.path, "link.db")}` });
    await storage.accounts.createAll([{ name: "Acme", email: "a@acme.example", websiteLimit: null }], testAuthor);
    await storage.ping();
    await storage.close();
  });

  it("is not created in place of one that was moved while a program used it", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
    const path = join(folder.path, "a.db");
    const databaseUrl = `file:${path}`;
    const storage = await openStorage({ databaseUrl });
    await storage.accounts.createAll([{ name: "Acme", email: "a@acme.example", websiteLimit: null }], testAuthor);
    await rename(path, `${path}.moved`);
    await expect(openStorage({ databaseUrl })).rejects.toThrow("its write-ahead log");
    await rename(`${path}.moved`, path);
    const other = await openStorage({ databaseUrl });
    expect(await other.accounts.list()).toHaveLength(1);
    await other.close();
    await storage.close();
  });

  it("keeps the log that a killed process left, until a connection that writes has erased what was deleted", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
    const path = join(folder.path, "a.db");
    const storage = await openStorage({ databaseUrl: `file:${path}` });
    await storage.accounts.createAll([{ name: "Acme", email: "a@acme.example", websiteLimit: null }], testAuthor);
    const left = join(folder.path, "left.db");
    for (const end of ["", "-wal"]) await copyFile(path + end, left + end);
    await storage.close();
    const location = { databaseUrl: `file:${left}`, setting: "DATABASE_URL" };
    const { close } = await openSqliteFile({ ...location, mustExist: true, mustBeWritable: false });
    expect((await stat(`${left}-wal`)).size).toBeGreaterThan(0);
    await close();
  });
});

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}
