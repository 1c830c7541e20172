import { renameSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { connectFirst, requireSafeEngine } from "./connect-sqlite.ts";

it("opens the new file if the file is replaced while it is opened, as by a restore", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-connect-"));
  const [path, backup] = [join(folder.path, "a.db"), join(folder.path, "b.db")];
  for (const [version, file] of [path, backup].entries()) {
    using database = new DatabaseSync(file);
    database.exec(`pragma user_version = ${version}`);
  }
  let isFirst = true;
  using opened = await connectFirst(path, (database) => {
    database.prepare("pragma user_version").get();
    if (isFirst) renameSync(backup, path);
    isFirst = false;
  });
  expect(opened.prepare("pragma user_version").get()).toEqual({ user_version: 1 });
});

it("accepts only versions of SQLite that cannot damage a database, and says which", () => {
  for (const safe of ["3.51.3", "3.51.10", "3.53.0", "4.0.0"]) requireSafeEngine(safe);
  for (const version of ["3.51.2", "3.50.10", "3.9.9"])
    expect(() => requireSafeEngine(version)).toThrow(
      `SQLite ${version}, which can damage a database. Use a Node.js with SQLite 3.51.3 or later.`,
    );
});
