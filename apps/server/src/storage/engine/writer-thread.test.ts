import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate, setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { testAuthor } from "../../../test/support/storage/with-test-author.ts";
import { startWriterThread } from "./writer-thread.ts";

const onThread = async () => ({ ...(await engines.sqlite()), writesOnThread: true });
const creation = {
  accountId: 1,
  website: newWebsite("a.example"),
  audit: { by: testAuthor, changes: "{}" },
  idempotency: undefined,
  at: 0,
};

describe("a writer thread", () => {
  it("waits for another process that writes, while this process reads and its event loop goes on", async () => {
    await using storage = await openTestStorage(onThread);
    const accountId = await createTestAccount(storage);
    using other = new DatabaseSync(storage.database.databaseUrl.slice("file:".length), { timeout: 1000 });
    other.exec("begin immediate");
    const creating = storage.websites.create(accountId, newWebsite("a.example"));
    expect(await Promise.race([creating, setTimeout(200, "waits")])).toBe("waits");
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(0);
    other.exec("commit");
    expect((await creating).website.id).toBe(1);
    expect((await storage.websites.get(accountId, 1))?.website.domain).toBe("a.example");
  });

  it("stores the changes that were begun before it is closed", async () => {
    await using storage = await openTestStorage(onThread);
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("first.example"));
    const creating = Array.from({ length: 300 }, (_, index) =>
      storage.websites.create(accountId, newWebsite(`site-${index}.example`)),
    );
    // Each decides first, in this turn of the event loop.
    await setImmediate();
    await storage.close();
    const created = await Promise.all(creating);
    expect(created.map(({ website }) => website.id)).toEqual(created.map((_, index) => index + 2));
    expect(await storage.database.findFaults()).toEqual([]);
  });

  it("refuses a change that comes after it was closed, of which nothing is stored", async () => {
    await using storage = await openTestStorage(onThread);
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("a.example"));
    await storage.close();
    const late = storage.websites.create(accountId, newWebsite("b.example"));
    await expect(late).rejects.toMatchObject({ code: "unavailable" });
  });

  it("that ends by itself leaves the outcome of its changes unknown, refuses later ones, and says why", async () => {
    await using folder = await makeFolder();
    const program = join(folder.path, "thread.mjs");
    await writeFile(
      program,
      `import { parentPort } from "node:worker_threads";
       parentPort.on("message", () => { throw new Error("The thread is broken."); });
       parentPort.postMessage("open");`,
    );
    const failures: unknown[] = [];
    const onFailure = (reason: unknown) => failures.push(reason);
    const writer = await startWriterThread({ databaseUrl: "file:unused", onFailure, program: pathToFileURL(program) });
    const unknown = { reason: "outcome_unknown", cause: { message: "The thread is broken." } };
    await expect(writer.call("createWebsite", creation)).rejects.toMatchObject(unknown);
    await expect(writer.call("createWebsite", creation)).rejects.toMatchObject({ code: "unavailable" });
    expect(failures).toMatchObject([{ message: "The thread is broken." }]);
    await writer.close();
  });
});

async function makeFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "siteward-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
