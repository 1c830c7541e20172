import { describe, expect, it } from "vitest";
import { describeOnEveryEngine, engines } from "../../../test/support/engines.ts";
import { fillInstallation } from "../../../test/support/storage/fill-installation.ts";
import { newWebsite } from "../../../test/support/storage/open-test-storage.ts";
import { readInstallation } from "../../../test/support/storage/read-installation.ts";
import { searchEverything } from "../../../test/support/storage/search-everything.ts";
import { openWithTestAuthor } from "../../../test/support/storage/with-test-author.ts";
import type { TestDatabase } from "../../../test/support/test-database.ts";
import { copyDatabase } from "./copy-database.ts";
import type { CopyListeners } from "./copy-run.ts";

describeOnEveryEngine("an unfinished copy", (engine) => {
  it("becomes equal to the source, whatever has changed there in the meantime", async () => {
    await using source = await engine();
    await using destination = await engine();
    await fillInstallation(source.databaseUrl, { websiteCount: 3_000 });
    await stopCopy(source, destination);
    await destination.execute(`
      insert into accounts values (9, 'Extra', 'e@example.com', 1, null, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0);
      insert into websites values (9, 1, 'extra.example', 0, null, 0, 0, '[]', '[]', 1, 0, 0, null);
    `);
    const storage = await openWithTestAuthor(source);
    await storage.accounts.update(1, { name: "Renamed" });
    await storage.accounts.create({ name: "Later", email: "later@example.com", websiteLimit: 3 });
    await storage.apiKeys.revoke("swk_00000000");
    await storage.websites.update(1, 2, () => ({ email: 0, exclude_bots: 0, privacy: 1 }));
    await storage.websites.delete(1, 3);
    await storage.websites.create(5, newWebsite("later.example"));
    await storage.close();
    await copy(source, destination);
    expect(await readInstallation(destination.databaseUrl)).toEqual(await readInstallation(source.databaseUrl));
    expect(await searchEverything(destination.databaseUrl)).toEqual(await searchEverything(source.databaseUrl));
    expect(await destination.findFaults()).toEqual([]);
  });

  it("can become a copy of another source, whose ids and domains overlap with those of the first", async () => {
    await using first = await engine();
    await using second = await engine();
    await using destination = await engine();
    await fillInstallation(first.databaseUrl, { websiteCount: 3_000 });
    await fillInstallation(second.databaseUrl, { websiteCount: 2_400, firstId: 2 });
    await stopCopy(first, destination);
    await copy(second, destination);
    expect(await readInstallation(destination.databaseUrl)).toEqual(await readInstallation(second.databaseUrl));
    expect(await searchEverything(destination.databaseUrl)).toEqual(await searchEverything(second.databaseUrl));
    expect(await destination.findFaults()).toEqual([]);
  });

  it("can be taken over by another copy, and the first copy stops writing to it", async () => {
    await using source = await engine();
    await using destination = await engine();
    await fillInstallation(source.databaseUrl, { websiteCount: 3_000 });
    const takeOver = `update schema_migrations set name = 'unfinished copy other' where version = -1`;
    let taken: Promise<unknown> | undefined;
    const onProgress = () => {
      taken ??= destination.execute(takeOver);
    };
    const copying = copy(source, destination, { onProgress });
    await expect(copying).rejects.toThrow("taken over");
    await taken;
    await copy(source, destination);
    expect(await readInstallation(destination.databaseUrl)).toEqual(await readInstallation(source.databaseUrl));
  });
});

describe("a copy that differs from its source", () => {
  it("names the table and the account, and stays unfinished until it is fixed", async () => {
    await using source = await engines.sqlite();
    await using destination = await engines.sqlite();
    await fillInstallation(source.databaseUrl, { websiteCount: 3_000 });
    await (await openWithTestAuthor(destination)).close();
    await destination.execute(`
      create trigger spoil after insert on websites when new.account_id = 2 and new.id = 5 begin
        update websites set version = 99 where account_id = 2 and id = 5;
      end`);
    for (const _ of ["once", "again"]) {
      await expect(copy(source, destination)).rejects.toMatchObject({
        code: "copy_differs",
        message: "The copy of websites differs from its source, first in account 2.",
      });
      await expect(openWithTestAuthor(destination)).rejects.toThrow("unfinished copy");
    }
    await destination.execute("drop trigger spoil");
    await copy(source, destination);
    expect(await readInstallation(destination.databaseUrl)).toEqual(await readInstallation(source.databaseUrl));
  });
});

function copy(source: TestDatabase, destination: TestDatabase, listeners: CopyListeners = {}) {
  return copyDatabase({ from: source.databaseUrl, to: destination.databaseUrl }, listeners);
}

/** Runs a copy and stops it after some websites are copied. */
async function stopCopy(source: TestDatabase, destination: TestDatabase): Promise<void> {
  const stop = new AbortController();
  const onProgress: CopyListeners["onProgress"] = ({ step, table, done }) => {
    if (step === "copying" && table === "websites" && done >= 1_000) stop.abort();
  };
  await expect(copy(source, destination, { onProgress, signal: stop.signal })).rejects.toThrow("The copy was stopped.");
}
