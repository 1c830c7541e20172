import { readFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import type { TestDatabase } from "../../../../test/support/test-database.ts";
import { createQueryBuilder } from "../../database/query-builder.ts";
import { createWrite } from "../../database/write-transaction.ts";
import { whoseTurn } from "../whose-turn.ts";
import type { WriteRefusal } from "./find-write-refusal.ts";
import { sqlite } from "./sqlite.ts";
import { openSqliteFile } from "./sqlite-file.ts";
import { groupLimits, SqliteWriteDriver } from "./sqlite-write-driver.ts";
import { retryMs } from "./write-access.ts";

describe("SQLite transactions that wait together", () => {
  it("are committed as one group", async () => {
    await using scene = await openScene();
    const before = await scene.countCommits();
    await Promise.all(numbers(100).map((number) => scene.insert(number)));
    expect((await scene.countCommits()) - before).toBe(1);
    expect(scene.readAll()).toEqual(numbers(100));
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
    expect(scene.readAll()).toEqual(numbers(500));
  });

  it("are not visible to readers before they are committed", async () => {
    await using scene = await openScene();
    const seen: number[] = [];
    await Promise.all(
      numbers(20).map((number) =>
        scene.write(async (transaction) => {
          seen.push(scene.readAll().length);
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
    expect(scene.readAll()).toEqual(numbers(20).filter((number) => !failing.includes(number)));
    await scene.insert(21);
    expect(scene.readAll().at(-1)).toBe(21);
  });

  it("may leave more statements for the commit than a function has arguments", async () => {
    await using scene = await openScene();
    const update = sql`update numbers set number = number where false`;
    const many = scene.insert(2, async (transaction) => {
      for (let left = 200_000; left > 0; left -= 1) await transaction.writeAtCommit(update);
    });
    await Promise.all([scene.insert(1), many]);
    expect(scene.readAll()).toEqual([1, 2]);
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
    expect(scene.readAll()).toEqual([]);
    await scene.insert(21);
    expect(scene.readAll()).toEqual([21]);
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
    expect(scene.readAll()).toEqual(numbers(20).slice(7));
  });

  it("fail only after the transactions before them are durable, since they may fail for what those changed", async () => {
    await using scene = await openScene();
    const refusal = new Error("1 is taken.");
    const inserting = scene.insert(1);
    const seen = await scene
      .insert(2, () => Promise.reject(refusal))
      .catch((error: unknown) => [error, scene.readAll()]);
    expect(seen).toEqual([refusal, [1]]);
    await inserting;
  });

  it("fail with the error of their group if it fails, whatever they would have failed for", async () => {
    await using scene = await openScene();
    const outcomes = await Promise.allSettled([
      scene.insert(1, (transaction) => transaction.writeAtCommit(sql`insert into no_such_table values (1)`)),
      scene.insert(2, () => Promise.reject(new Error("1 is taken."))),
    ]);
    const failure = { reason: { message: expect.stringContaining("no_such_table") } };
    expect(outcomes).toMatchObject([failure, failure]);
  });

  it("run the statements that can wait right before the commit, and not if the transaction fails", async () => {
    await using scene = await openScene();
    await Promise.allSettled(
      numbers(5).map((number) =>
        scene.write(async (transaction) => {
          await transaction.writeAtCommit(sql`insert into numbers (number) values (${number * 100})`);
          const found = await transaction.read<{ number: number }>(sql`select number from numbers where number >= 100`);
          expect(found).toEqual([]);
          await transaction.write(sql`insert into numbers (number) values (${number})`);
          if (number === 3) throw new Error("No.");
        }),
      ),
    );
    expect(scene.readAll()).toEqual([1, 2, 4, 5, 100, 200, 400, 500]);
  });

  it("take turns between accounts", async () => {
    await using scene = await openScene();
    const order: number[] = [];
    const insert = (accountId: number, number: number) =>
      whoseTurn.run(accountId, () => scene.insert(number, async () => void order.push(accountId)));
    await Promise.all([...numbers(50).map((number) => insert(1, number)), insert(2, 51), insert(2, 52), insert(3, 53)]);
    // The first one has no one to wait for.
    expect(order.slice(0, 7)).toEqual([1, 1, 2, 3, 1, 2, 1]);
  });

  it("wait for their turn in front of a caller that needs no group and came after them", async () => {
    await using scene = await openScene();
    const writing = numbers(20).map((number) => whoseTurn.run(number % 3, () => scene.insert(number)));
    expect([await scene.empty(), scene.readAll()]).toEqual([true, numbers(20)]);
    await Promise.all(writing);
  });

  it("are refused if 2,000 wait already", async () => {
    await using scene = await openScene();
    const outcomes = await Promise.allSettled(numbers(2_010).map((number) => scene.insert(number)));
    const refused = outcomes.filter(({ status }) => status === "rejected");
    // One runs while 2,000 wait.
    expect(refused).toHaveLength(9);
    expect(scene.readAll()).toEqual(numbers(2_001));
  });
});

describe("a connection that was opened while the file was read-only", () => {
  it("is replaced as soon as the file is writable, and refuses each change by name until then", async () => {
    await using scene = await openScene();
    const path = scene.databaseUrl.slice("file:".length);
    let refusal: WriteRefusal | undefined = { reason: "it is not ours", remedy: "", concernsOpenFiles: false };
    const driver = new SqliteWriteDriver({
      open: () => new DatabaseSync(path, { readOnly: refusal !== undefined }),
      findRefusal: () => refusal,
      hasOwnThread: false,
    });
    const { insert } = toWriter(driver);
    await expect(insert(1)).rejects.toMatchObject({ ...readOnly, cause: { errcode: 8 } });
    await setTimeout(retryMs);
    await expect(insert(2)).rejects.toMatchObject({
      ...readOnly,
      cause: { message: "it is not ours" },
    });
    expect(() => driver.requireWritable()).toThrow("The database is read-only");
    refusal = undefined;
    await expect(insert(3)).rejects.toMatchObject(readOnly);
    await setTimeout(retryMs);
    await Promise.all([insert(4), insert(5)]);
    expect(() => driver.requireWritable()).not.toThrow();
    expect(scene.readAll()).toEqual([4, 5]);
    await driver.destroy();
  });

  it("is not expected of files that were open before their permissions changed, but of their file system", async () => {
    await using scene = await openScene();
    let refusal: WriteRefusal | undefined;
    const driver = new SqliteWriteDriver({
      open: () => new DatabaseSync(scene.databaseUrl.slice("file:".length)),
      findRefusal: () => refusal,
      hasOwnThread: false,
    });
    await toWriter(driver).insert(1);
    refusal = { reason: "it is not ours", remedy: "", concernsOpenFiles: false };
    expect(() => driver.requireWritable()).not.toThrow();
    await toWriter(driver).insert(2);
    refusal = { reason: "it is mounted read-only", remedy: "", concernsOpenFiles: true };
    expect(() => driver.requireWritable()).toThrow("The database is read-only");
    refusal = undefined;
    expect(() => driver.requireWritable()).not.toThrow();
    await driver.destroy();
  });
});

const readOnly = { reason: "database_read_only" };

type Write = ReturnType<typeof createWrite>;
type Transaction = Parameters<Parameters<Write>[0]>[0];

interface Scene extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly write: Write;
  insert(number: number, then?: (transaction: Transaction) => Promise<void>): Promise<void>;
  readAll(): number[];
  countCommits(): Promise<number>;
  /** Empties the log, which no transaction may be open for. */
  empty(): Promise<boolean>;
}

/** A group may take as long as it needs, so that the tests do not depend on the speed of the machine. */
const limits = { ...groupLimits, maxMs: Number.POSITIVE_INFINITY };

async function openScene(): Promise<Scene> {
  const place = await engines.sqlite();
  const { read, probe, openWrite } = await openSqliteFile({ databaseUrl: place.databaseUrl, setting: "DATABASE_URL" });
  const driver = new SqliteWriteDriver({ open: openWrite, hasOwnThread: false, limits });
  const { write, insert } = toWriter(driver);
  await write((transaction) => transaction.write(sql`create table numbers (number integer primary key)`));
  return {
    databaseUrl: place.databaseUrl,
    write,
    insert,
    readAll: () =>
      read
        .prepare("select number from numbers order by number")
        .all()
        .map(({ number }) => Number(number)),
    countCommits: () => countCommits(place),
    empty: () => driver.checkpoint(1_000),
    async [Symbol.asyncDispose]() {
      await driver.destroy();
      read.close();
      probe.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

function toWriter(driver: SqliteWriteDriver): Pick<Scene, "write" | "insert"> {
  const write = createWrite({ driver, dialect: sqlite, build: createQueryBuilder(sqlite) });
  return {
    write,
    insert: (number, then) =>
      write(async (transaction) => {
        await transaction.write(sql`insert into numbers (number) values (${number})`);
        await then?.(transaction);
      }),
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
