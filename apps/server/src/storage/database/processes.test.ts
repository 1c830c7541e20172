import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { databases } from "../../../test/support/engines.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import type { Storage } from "../interface/storage.ts";

const writer = fileURLToPath(new URL("../../../test/support/storage/write-websites.ts", import.meta.url));

describe.each(["postgres", "sqlite, written on a thread"] as const)("processes (%s)", (name) => {
  it("that all open a new database share it, and one sequence of ids without gaps while all write", async () => {
    const database = await databases[name]();
    const ran: number[] = [];
    const onMigration = ({ version }: { version: number }) => ran.push(version);
    // They may end before the database below is open, and write only if they find the account.
    const openers = ["a", "b"].map((label) => once(startWriter(database.databaseUrl, 1, label, 0), "close"));
    await using storage = await openTestStorage(async () => database, { onMigration });
    expect((await Promise.all(openers)).map(([code]) => code)).toEqual([0, 0]);
    expect(ran).toHaveLength(new Set(ran).size);
    const accountId = await createTestAccount(storage);
    const children = ["left", "right"].map((label) => startWriter(database.databaseUrl, accountId, label, 100));
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
