import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createPartial, putInPlace, requireRoom } from "./partial-file.ts";

const now = new Date();
const options = { now: () => now, suffixes: ["-journal"] };

it("a partial file can be read by this user alone, whatever the umask, and removes those of killed processes", async () => {
  await using folder = await createFolder();
  const host = hostname();
  const others = [`.other.db.${host}.99999999.partial`, ".backup.db.elsewhere.99999999.partial"];
  const running = `.backup.db.${host}.1.partial`;
  const abandoned = [`.backup.db.${host}.99999999.partial`, ".backup.db.elsewhere.7.partial"];
  for (const name of [...others, running, ...abandoned]) await writeFile(join(folder.path, name), "");
  await writeFile(join(folder.path, `${abandoned[0]}-journal`), "");
  const yesterday = new Date(now.getTime() - 25 * 3_600_000);
  await utimes(join(folder.path, abandoned[1] ?? ""), yesterday, yesterday);
  const before = process.umask(0);
  const partial = await createPartial(join(folder.path, "backup.db"), options).finally(() => process.umask(before));
  expect((await stat(partial.path)).mode & 0o777).toBe(0o600);
  const own = `.backup.db.${host}.${process.pid}.partial`;
  expect((await readdir(folder.path)).toSorted()).toEqual([...others, running, own].toSorted());
  expect(await partial.remove()).toBe(true);
  expect(await partial.remove()).toBe(false);
  expect((await readdir(folder.path)).toSorted()).toEqual([...others, running].toSorted());
});

it("a complete file never takes the place of one that was created meanwhile, unless it shall replace it", async () => {
  await using folder = await createFolder();
  const file = join(folder.path, "backup.db");
  const partial = await createPartial(file, options);
  await writeFile(partial.path, "new");
  await writeFile(file, "old");
  await expect(putInPlace(partial, file, { replaces: false })).rejects.toThrow(/EEXIST/);
  expect(await readFile(file, "utf8")).toBe("old");
  await putInPlace(partial, file, { replaces: true });
  expect(await readFile(file, "utf8")).toBe("new");
  expect(await readdir(folder.path)).toEqual(["backup.db"]);
});

it("a file that cannot fit is refused with both sizes", async () => {
  await requireRoom(tmpdir(), 1);
  await expect(requireRoom(tmpdir(), 1e18)).rejects.toThrow(
    /^1,000,000,000,000 MB are needed in .*, but [\d,]+ MB are free\.$/,
  );
});

async function createFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "siteward-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
