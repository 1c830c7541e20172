import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cliBin, serverBin } from "./support/built-server.ts";

const isRoot = process.geteuid?.() === 0;
const anotherUser = 65_534;

/** Creates a folder for caches in an empty folder, and returns its path. */
type MakeCacheHome = (root: string) => string;

/** Folders in which another user could put code. */
const unsafeFolders: Record<string, MakeCacheHome> = {
  "that everyone can write": (root) => makeCache(root, 0o777),
  "that the group can write": (root) => makeCache(root, 0o770),
  "that everyone can enter": (root) => makeCache(root, 0o755),
  "that everyone can write, even if a sticky bit protects its files": (root) => makeCache(root, 0o1777),
  "below a folder that everyone can write": (root) => {
    chmodSync(root, 0o777);
    return root;
  },
  "that is a symbolic link": (root) => {
    makeFolder(join(root, "elsewhere"), 0o700);
    symlinkSync(join(root, "elsewhere"), join(root, "siteward"));
    return root;
  },
};

const foreignFolders: Record<string, MakeCacheHome> = {
  "of another user": (root) => {
    makeCache(root, 0o700);
    chownSync(join(root, "siteward"), anotherUser, anotherUser);
    return root;
  },
  "below a folder of another user": (root) => {
    chownSync(root, anotherUser, anotherUser);
    return root;
  },
  "below a link to a folder of another user": (root) => {
    makeFolder(join(root, "theirs"), 0o755);
    chownSync(join(root, "theirs"), anotherUser, anotherUser);
    symlinkSync(join(root, "theirs"), join(root, "link"));
    return join(root, "link");
  },
};

describe.each([
  ["siteward", cliBin],
  ["siteward-server", serverBin],
])("the compile cache of %s", (_name, bin) => {
  test("is in a folder that belongs to the user, and never below the temporary folder", () => {
    using place = makePlace();
    makeFolder(join(place.temporary, "node-compile-cache"), 0o777);
    const first = run(bin, place);
    expect(first.cachePaths.size).toBeGreaterThan(0);
    for (const path of [...first.cachePaths, ...run(bin, place).cachePaths]) {
      expect(path.startsWith(join(place.home, ".cache/siteward/"))).toBe(true);
    }
    expect(readdirSync(place.temporary, { recursive: true })).toEqual(["node-compile-cache"]);
    expect(lstatSync(join(place.home, ".cache/siteward")).mode & 0o777).toBe(0o700);
  });

  test("is in XDG_CACHE_HOME, if that is an absolute path", () => {
    using place = makePlace();
    run(bin, place, { XDG_CACHE_HOME: join(place.root, "cache") });
    expect(readdirSync(join(place.root, "cache/siteward"))).toHaveLength(1);
    run(bin, place, { XDG_CACHE_HOME: "cache" });
    expect(readdirSync(join(place.home, ".cache/siteward"))).toHaveLength(1);
  });

  test.for(Object.entries(unsafeFolders))("does not use a folder %s", ([, makeCacheHome]) =>
    expectUnused(bin, makeCacheHome),
  );

  test.skipIf(!isRoot).for(Object.entries(foreignFolders))("does not use a folder %s", ([, makeCacheHome]) =>
    expectUnused(bin, makeCacheHome),
  );

  test("is in NODE_COMPILE_CACHE, and does not exist if NODE_DISABLE_COMPILE_CACHE is set", () => {
    using place = makePlace();
    run(bin, place, { NODE_COMPILE_CACHE: join(place.root, "own") });
    expect(readdirSync(join(place.root, "own"))).toHaveLength(1);
    expect(run(bin, place, { NODE_DISABLE_COMPILE_CACHE: "1" }).cachePaths).toEqual(new Set());
    expect(readdirSync(place.home)).toEqual([]);
  });

  test("is not required: the program runs if no folder can be used", () => {
    using place = makePlace();
    expect(run(bin, place, { HOME: "/dev/null" }).cachePaths).toEqual(new Set());
  });

  test("is not required: the program runs on a runtime without one, such as some versions of Deno", () => {
    using place = makePlace();
    const script = 'import module from "node:module"; delete module.enableCompileCache;';
    const settings = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
    expect(run(bin, place, settings).cachePaths).toEqual(new Set());
    expect(readdirSync(place.home)).toEqual([]);
  });
});

function expectUnused(bin: string, makeCacheHome: MakeCacheHome): void {
  using place = makePlace();
  const root = join(place.root, "caches");
  makeFolder(root, 0o700);
  const cacheHome = makeCacheHome(root);
  const before = readdirSync(root, { recursive: true });
  expect(run(bin, place, { XDG_CACHE_HOME: cacheHome }).cachePaths).toEqual(new Set());
  expect(readdirSync(root, { recursive: true })).toEqual(before);
}

function makeCache(root: string, mode: number): string {
  makeFolder(join(root, "siteward"), mode);
  return root;
}

interface Place extends Disposable {
  readonly root: string;
  readonly home: string;
  readonly temporary: string;
}

/** Creates an empty home and an empty temporary folder, which are deleted after the test. */
function makePlace(): Place {
  const root = mkdtempSync(join(tmpdir(), "siteward-cache-"));
  const [home, temporary] = [join(root, "home"), join(root, "tmp")];
  for (const folder of [home, temporary]) makeFolder(folder, 0o700);
  return { root, home, temporary, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

/** Creates a folder with an exact mode, whatever the umask is. */
function makeFolder(path: string, mode: number): void {
  mkdirSync(path);
  chmodSync(path, mode);
}

/** Runs a program until it exits. Node itself prints which cache files it reads and writes. */
function run(bin: string, place: Place, settings: Record<string, string> = {}): { cachePaths: Set<string> } {
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: place.home, TMPDIR: place.temporary, NODE_DEBUG_NATIVE: "COMPILE_CACHE", ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, "--version"], { env, encoding: "utf8" });
  expect({ status, version: /^\d+\.\d+\.\d+$/m.test(stdout) }).toEqual({ status: 0, version: true });
  const paths = `${stdout}\n${stderr}`.matchAll(
    /(?:reading cache from|writing cache for .* to|creating cache directory) (\/\S+?)(?:\.\.\.| for |$)/gm,
  );
  return { cachePaths: new Set(Array.from(paths, ([, path = ""]) => path)) };
}
