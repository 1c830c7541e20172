import { chmod, mkdtemp, readdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readLastBackup, recordLastBackup } from "./last-backup.ts";

const completedAt = new Date("2027-01-31T09:00:00.123Z");

it("the time of the last backup is read back, by any name of the database, and no other file is left", async () => {
  await using place = await createFolder();
  await recordLastBackup(place.database, new Date(0));
  await recordLastBackup(place.database, completedAt);
  expect(await readLastBackup(place.databaseUrl)).toEqual(completedAt);
  await symlink(place.folder, `${place.folder}/link`);
  expect(await readLastBackup(`file://${place.folder}/link/siteward.db`)).toEqual(completedAt);
  expect(await readdir(place.folder)).toEqual(["link", "siteward.db.last-backup"]);
});

it.each(["", "null", '{"completed_at":"soon"}'])("a record with %j counts as none", async (text) => {
  await using place = await createFolder();
  await writeFile(place.record, text);
  expect(await readLastBackup(place.databaseUrl)).toBeUndefined();
});

it("a record of a gigabyte, a folder in its place and a record that is missing count as none", async () => {
  await using place = await createFolder();
  expect(await readLastBackup(place.databaseUrl)).toBeUndefined();
  await writeFile(place.record, "");
  await truncate(place.record, 2 ** 30);
  expect(await readLastBackup(place.databaseUrl)).toBeUndefined();
  expect(await readLastBackup(`file:${tmpdir()}`)).toBeUndefined();
});

async function createFolder(): Promise<
  AsyncDisposable & { readonly [Name in "folder" | "database" | "databaseUrl" | "record"]: string }
> {
  const folder = await mkdtemp(join(tmpdir(), "siteward-"));
  await chmod(folder, 0o700);
  return {
    folder,
    database: `${folder}/siteward.db`,
    databaseUrl: `file:${folder}/siteward.db`,
    record: `${folder}/siteward.db.last-backup`,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
