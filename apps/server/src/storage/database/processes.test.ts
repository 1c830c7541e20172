import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { describeOnEveryDatabase } from "../../../test/support/engines.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import type { Storage } from "../interface/storage.ts";
import { openStorage } from "../open-storage.ts";

const writer = fileURLToPath(new URL("../../../test/support/storage/write-websites.ts", import.meta.url));

describeOnEveryDatabase("processes", (engine) => {
  it("lose no acknowledged website if one is killed while it writes", async () => {
    await using storage = await openTestStorage(engine);
    const accountId = await createTestAccount(storage);
    const acknowledged: string[] = [];
    for (const round of [1, 2, 3, 4]) {
      const child = startWriter(storage.database.databaseUrl, accountId, `round-${round}`);
      const ended = once(child, "close");
      let count = 0;
      for await (const line of readLines(child)) {
        acknowledged.push(line);
        count += 1;
        if (count === 10 + round * 7) child.kill("SIGKILL");
      }
      await ended;
      expect(child.signalCode).toBe("SIGKILL");
    }
    const stored = await readAll(storage, accountId);
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
    // Each kill can leave one website that was stored but not yet acknowledged.
    expect(stored.length).toBeLessThanOrEqual(acknowledged.length + 4);
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(stored.length);
    expect(await storage.database.findFaults()).toEqual([]);
  });

  it("share one sequence of ids without gaps while all write at the same time", async () => {
    await using storage = await openTestStorage(engine);
    const accountId = await createTestAccount(storage);
    const children = ["left", "right"].map((label) => startWriter(storage.database.databaseUrl, accountId, label, 100));
    const own = Array.from({ length: 50 }, (_, index) =>
      storage.websites.create(accountId, newWebsite(`own-${index}.example.com`)),
    );
    const printed = await Promise.all(children.map(readAllLines));
    await Promise.all(own);
    expect(printed.flat()).toHaveLength(200);
    const stored = await readAll(storage, accountId);
    expect(stored.map((line) => Number(line.split(" ")[0]))).toEqual(Array.from({ length: 250 }, (_, i) => i + 1));
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(250);
    expect(await storage.database.findFaults()).toEqual([]);
  });

  it("create one database if they all open a new one at the same time", async () => {
    await using database = await engine();
    const ran: number[] = [];
    const onMigration = ({ version }: { version: number }) => ran.push(version);
    const children = ["a", "b", "c"].map((label) => startWriter(database.databaseUrl, 1, label, 0));
    // They may end before the databases below are open.
    const closed = children.map((child) => once(child, "close"));
    const storages = await Promise.all(
      Array.from({ length: 4 }, () => openStorage({ databaseUrl: database.databaseUrl, onMigration })),
    );
    const codes = (await Promise.all(closed)).map(([code]) => code);
    expect(codes).toEqual([0, 0, 0]);
    expect(ran).toHaveLength(new Set(ran).size);
    for (const storage of storages) await createTestAccount(storage);
    expect((await storages[0]?.accounts.list())?.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    for (const storage of storages) await storage.close();
  });
});

function startWriter(databaseUrl: string, accountId: number, label: string, count = Infinity): ChildProcess {
  const parameters = [databaseUrl, String(accountId), label, String(count)];
  return spawn(process.execPath, [writer, ...parameters], { stdio: ["ignore", "pipe", "inherit"] });
}

async function readAllLines(child: ChildProcess): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(child)) lines.push(line);
  return lines;
}

async function* readLines({ stdout }: ChildProcess): AsyncGenerator<string> {
  if (stdout === null) throw new Error("The child has no output.");
  yield* createInterface({ input: stdout });
}

async function readAll(storage: Storage, accountId: number): Promise<string[]> {
  const lines: string[] = [];
  for (let page = 1; ; page += 1) {
    const request = { sortBy: "id", sort: "asc", perPage: 100, start: { page } } as const;
    const { websites, hasNext } = await storage.websites.list(accountId, request);
    lines.push(...websites.map(({ id, domain }) => `${id} ${domain}`));
    if (!hasNext) return lines;
  }
}
