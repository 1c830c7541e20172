import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { makeSqliteDatabase } from "../../../../test/support/sqlite-database.ts";
import type { TestDatabase } from "../../../../test/support/test-database.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open-database.ts";

describe("SQLite transactions that wait together", () => {
  it("are committed as one group", async () => {
    await using scene = await openScene();
    const before = await scene.countCommits();
    await Promise.all(numbers(100).map((number) => scene.insert(number)));
    expect((await scene.countCommits()) - before).toBe(1);
    expect(await scene.readAll()).toEqual(numbers(100));
  });

  it("are committed in groups of at most 128, and the event loop gets a turn between two groups", async () => {
    await using scene = await openScene();
    const before = await scene.countCommits();
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(numbers(500).map((number) => scene.insert(number)));
    isDone = true;
    const groups = (await scene.countCommits()) - before;
    expect(groups).toBeGreaterThanOrEqual(4);
    expect(turns).toBeGreaterThanOrEqual(groups - 1);
    expect(await scene.readAll()).toEqual(numbers(500));
  });

  it("are not visible to readers before they are committed", async () => {
    await using scene = await openScene();
    const seen: number[] = [];
    await Promise.all(
      numbers(20).map((number) =>
        scene.database.write(async (transaction) => {
          seen.push((await scene.readAll()).length);
          await transaction.write(sql`insert into numbers (number) values (${number})`);
        }),
      ),
    );
    expect(seen).toEqual(numbers(20).map(() => 0));
  });

  it.each([
    ["the first", [1]],
    ["one in the middle", [10]],
    ["the last", [20]],
    ["many", [1, 2, 5, 6, 19, 20]],
    ["all", numbers(20)],
  ])("are rolled back alone if they fail: %s", async (_, failing) => {
    await using scene = await openScene();
    const outcomes = await Promise.allSettled(
      numbers(20).map((number) =>
        scene.insert(number, failing.includes(number) ? () => Promise.reject(new Error("No.")) : undefined),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      numbers(20).map((number) => (failing.includes(number) ? "rejected" : "fulfilled")),
    );
    expect(await scene.readAll()).toEqual(numbers(20).filter((number) => !failing.includes(number)));
    await scene.insert(21);
    expect((await scene.readAll()).at(-1)).toBe(21);
  });

  it("all fail if the commit of their group fails, and nothing of them is kept", async () => {
    await using scene = await openScene();
    const outcomes = await Promise.allSettled(
      numbers(20).map((number) =>
        scene.insert(number, async (transaction) => {
          if (number === 7) await transaction.writeAtCommit(sql`insert into no_such_table values (1)`);
        }),
      ),
    );
    expect(outcomes).toEqual(
      numbers(20).map(() =>
        expect.objectContaining({
          reason: expect.objectContaining({ message: expect.stringContaining("no_such_table") }),
        }),
      ),
    );
    expect(await scene.readAll()).toEqual([]);
    await scene.insert(21);
    expect(await scene.readAll()).toEqual([21]);
  });

  it("all fail if the engine ends the transaction of their group, and nothing of them is kept", async () => {
    await using scene = await openScene();
    const outcomes = await Promise.allSettled(
      numbers(20).map((number) =>
        scene.insert(number, async (transaction) => {
          if (number === 7) await transaction.write(sql`insert or rollback into numbers (number) values (7)`);
        }),
      ),
    );
    const failed = outcomes.flatMap(({ status }, index) => (status === "rejected" ? [index + 1] : []));
    expect(failed).toEqual(numbers(7));
    expect(await scene.readAll()).toEqual(numbers(20).slice(7));
  });

  it("run the statements that can wait right before the commit, and not if the transaction fails", async () => {
    await using scene = await openScene();
    await Promise.allSettled(
      numbers(5).map((number) =>
        scene.database.write(async (transaction) => {
          await transaction.writeAtCommit(sql`insert into numbers (number) values (${number * 100})`);
          const found = await transaction.read<{ number: number }>(sql`select number from numbers where number >= 100`);
          expect(found).toEqual([]);
          await transaction.write(sql`insert into numbers (number) values (${number})`);
          if (number === 3) throw new Error("No.");
        }),
      ),
    );
    expect(await scene.readAll()).toEqual([1, 2, 4, 5, 100, 200, 400, 500]);
  });

  it("are refused if 2,000 wait already", async () => {
    await using scene = await openScene();
    const outcomes = await Promise.allSettled(numbers(2_010).map((number) => scene.insert(number)));
    const refused = outcomes.filter(({ status }) => status === "rejected");
    // One runs while 2,000 wait.
    expect(refused).toHaveLength(9);
    expect(await scene.readAll()).toEqual(numbers(2_001));
  });
});

interface Scene extends AsyncDisposable {
  readonly database: Database;
  insert(number: number, then?: (transaction: Transaction) => Promise<void>): Promise<void>;
  readAll(): Promise<number[]>;
  countCommits(): Promise<number>;
}

type Transaction = Parameters<Parameters<Database["write"]>[0]>[0];

async function openScene(): Promise<Scene> {
  const place = await makeSqliteDatabase();
  const database = await openDatabase(place);
  await database.write((transaction) => transaction.write(sql`create table numbers (number integer primary key)`));
  return {
    database,
    insert: (number, then) =>
      database.write(async (transaction) => {
        await transaction.write(sql`insert into numbers (number) values (${number})`);
        await then?.(transaction);
      }),
    async readAll() {
      const rows = await database.primary.read<{ number: number }>(sql`select number from numbers order by number`);
      return rows.map(({ number }) => number);
    },
    countCommits: () => countCommits(place),
    async [Symbol.asyncDispose]() {
      await database.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

const logHeaderBytes = 32;
const frameHeaderBytes = 24;
const pageBytes = 4096;

/** Counts the commits in the write-ahead log: the last frame of each contains the size of the database. */
async function countCommits({ databaseUrl }: TestDatabase): Promise<number> {
  const log = await readFile(`${databaseUrl.slice("file:".length)}-wal`);
  let commits = 0;
  for (let frame = logHeaderBytes; frame < log.length; frame += frameHeaderBytes + pageBytes) {
    if (log.readUInt32BE(frame + 4) !== 0) commits += 1;
  }
  return commits;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
