import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { accountId, newWebsite, openTestAccount, testAuthor } from "../../../test/support/storage.ts";
import type { Changes } from "../changes/call-change.ts";
import { startWriterThread } from "./writer-thread.ts";

const creation = {
  accountId: 1,
  website: newWebsite("a.example"),
  audit: { by: testAuthor, changes: "{}" },
  idempotency: undefined,
  trail: { bytes: 0, megabytes: 0, isDeletion: false, nowMs: 0 },
};

describe("a writer thread", () => {
  it("stores the changes that were begun before it is closed, and refuses later ones", async () => {
    await using storage = await openTestAccount(engines.sqlite, { writesOnThread: true });
    await storage.websites.create(accountId, newWebsite("first.example"));
    const creating = Array.from({ length: 300 }, (_, index) =>
      storage.websites.create(accountId, newWebsite(`site-${index}.example`)),
    );
    // Each decides first, in this turn of the event loop.
    await setImmediate();
    await storage.close();
    const late = storage.websites.create(accountId, newWebsite("late.example"));
    await expect(late).rejects.toMatchObject({ code: "unavailable" });
    const created = await Promise.all(creating);
    expect(created.map(({ website }) => website.id)).toEqual(created.map((_, index) => index + 2));
    expect(await storage.database.findFaults()).toEqual([]);
  });

  it("that ends by itself leaves the outcome of its changes unknown, refuses later ones, and says why", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
    const program = join(folder.path, "thread.mjs");
    await writeFile(
      program,
      `import { parentPort } from "node:worker_threads";
       parentPort.on("message", () => { throw new Error("The thread is broken."); });
       parentPort.postMessage("open");`,
    );
    const failures: unknown[] = [];
    const onFailure = (reason: unknown) => failures.push(reason);
    const writer = await startWriterThread<Changes>({
      databaseUrl: "file:unused",
      onFailure,
      program: pathToFileURL(program),
    });
    const unknown = { reason: "outcome_unknown", cause: { message: "The thread is broken." } };
    await expect(writer.call("createWebsite", creation)).rejects.toMatchObject(unknown);
    await expect(writer.call("createWebsite", creation)).rejects.toMatchObject({ code: "unavailable" });
    expect(failures).toMatchObject([{ message: "The thread is broken." }]);
    await writer.close();
  });
});
