import { existsSync } from "node:fs";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { lockFile } from "./lock-file.ts";

test("only one has the lock at a time, and it is gone afterwards", async () => {
  await using folder = await createTemporaryFolder();
  const path = join(folder.path, "lock");
  let holders = 0;
  const hold = async (): Promise<number> => {
    await using _lock = await lockFile(path);
    holders += 1;
    await new Promise((resolve) => setImmediate(resolve));
    const seen = holders;
    holders -= 1;
    return seen;
  };
  expect(await Promise.all(Array.from({ length: 10 }, hold))).toEqual(Array(10).fill(1));
  expect(existsSync(path)).toBe(false);
});

test("a lock that a killed process left does not last", async () => {
  await using folder = await createTemporaryFolder();
  const path = join(folder.path, "lock");
  await writeFile(path, "");
  const before = new Date(Date.now() - 60_000);
  await utimes(path, before, before);
  await using _lock = await lockFile(path);
  expect(existsSync(path)).toBe(true);
});

test("a folder that does not exist is an error at once", async () => {
  await using folder = await createTemporaryFolder();
  await expect(lockFile(join(folder.path, "missing", "lock"))).rejects.toThrow("ENOENT");
});
