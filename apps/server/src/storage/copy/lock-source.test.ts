import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { describeOnEveryDatabase } from "../../../test/support/engines.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { readInstallation } from "../../../test/support/storage/read-installation.ts";
import { openDatabase } from "../database/open-database.ts";
import { copyDatabase, lockSource } from "./copy-database.ts";

const writer = fileURLToPath(new URL("../../../test/support/storage/write-websites.ts", import.meta.url));

describeOnEveryDatabase("a locked source", (engine) => {
  it("refuses every write as unavailable, answers every read, and accepts writes again when it is released", async () => {
    await using storage = await openTestStorage(engine);
    const { websites, accounts, apiKeys } = storage;
    const accountId = await createTestAccount(storage);
    await websites.create(accountId, newWebsite("a.example"));
    const database = await openDatabase({ ...storage.database, allowsLongStatements: true });
    const unavailable = { code: "unavailable" };
    const key = {
      accountId,
      name: "key",
      prefix: "swk_1",
      hash: new Uint8Array(32),
      scopes: [],
      expiresAt: null,
      rateLimit: null,
    };
    const { release } = await lockSource(database);
    await Promise.all([
      expect(websites.create(accountId, newWebsite("b.example"))).rejects.toMatchObject(unavailable),
      expect(websites.update(accountId, 1, () => ({ email: 1 }))).rejects.toMatchObject(unavailable),
      expect(websites.delete(accountId, 1)).rejects.toMatchObject(unavailable),
      expect(accounts.update(accountId, { name: "New" })).rejects.toMatchObject(unavailable),
      expect(apiKeys.create(key)).rejects.toMatchObject(unavailable),
    ]);
    expect((await websites.get(accountId, 1))?.version).toBe(1);
    expect((await accounts.get(accountId))?.name).toBe("Acme");
    expect(await apiKeys.list()).toEqual([]);
    await release();
    await database.close();
    expect((await websites.create(accountId, newWebsite("b.example"))).website.id).toBe(2);
  });

  it("keeps nothing that was written through the connection that locks it", async () => {
    await using storage = await openTestStorage(engine);
    await createTestAccount(storage);
    const database = await openDatabase({ ...storage.database, allowsLongStatements: true });
    const { connection, release } = await lockSource(database);
    await connection.read(sql`update accounts set name = 'Changed'`);
    await release();
    await database.close();
    expect((await storage.accounts.get(1))?.name).toBe("Acme");
  });

  it("is copied exactly while another process writes to it", async () => {
    await using storage = await openTestStorage(engine);
    await using destination = await engine();
    const accountId = await createTestAccount(storage);
    const child = startWriter(storage.database.databaseUrl, accountId);
    const ended = once(child, "close");
    const acknowledged = await readLines(child, 50);
    await copyDatabase({ from: storage.database.databaseUrl, to: destination.databaseUrl });
    const atLeast = acknowledged.length;
    child.kill("SIGKILL");
    await ended;
    const copied = await readInstallation(destination.databaseUrl);
    const { websites } = await readInstallation(storage.database.databaseUrl);
    expect(copied.websites.length).toBeGreaterThanOrEqual(atLeast);
    expect(copied.websites).toEqual(websites.slice(0, copied.websites.length));
    expect(copied.accounts[0]?.last_website_id).toBe(copied.websites.length);
    expect(await destination.findFaults()).toEqual([]);
  });
});

function startWriter(databaseUrl: string, accountId: number): ChildProcess {
  return spawn(process.execPath, [writer, databaseUrl, String(accountId), "concurrent"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Returns the first lines, and continues to read the others. */
async function readLines({ stdout }: ChildProcess, count: number): Promise<string[]> {
  if (stdout === null) throw new Error("The child has no output.");
  const lines: string[] = [];
  const { promise, resolve } = Promise.withResolvers<string[]>();
  createInterface({ input: stdout }).on("line", (line) => {
    lines.push(line);
    if (lines.length === count) resolve([...lines]);
  });
  return promise;
}
