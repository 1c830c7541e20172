import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { cliBin, serverBin } from "./support/built-server.ts";

const isRoot = process.geteuid?.() === 0;
const anotherUser = 65_534;

/** Makes a place for caches in an empty folder, and says where it is. */
type MakeCacheHome = (root: string) => string;

/** Folders in which someone else could leave code. */
const unsafeFolders: Record<string, MakeCacheHome> = {
  "that everyone may write": (root) => makeCache(root, 0o777),
  "that the group may write": (root) => makeCache(root, 0o770),
  "that everyone may enter": (root) => makeCache(root, 0o755),
  "that everyone may write, even if a sticky bit keeps what is in it": (root) => makeCache(root, 0o1777),
  "below one that everyone may write": (root) => {
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
  "below one of another user": (root) => {
    chownSync(root, anotherUser, anotherUser);
    return root;
  },
  "below a link to one of another user": (root) => {
    makeFolder(join(root, "theirs"), 0o755);
    chownSync(join(root, "theirs"), anotherUser, anotherUser);
    symlinkSync(join(root, "theirs"), join(root, "link"));
    return join(root, "link");
  },
};

describe.each([
  ["siteward", cliBin],
  ["siteward-server", serverBin],
])("compiled code that %s keeps", (_name, bin) => {
  test("is read from and written to a folder of the user's own, and never one below the temporary folder", () => {
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

  test("is where XDG_CACHE_HOME says, if that is absolute", () => {
    using place = makePlace();
    run(bin, place, { XDG_CACHE_HOME: join(place.root, "cache") });
    expect(readdirSync(join(place.root, "cache/siteward"))).toHaveLength(1);
    run(bin, place, { XDG_CACHE_HOME: "cache" });
    expect(readdirSync(join(place.home, ".cache/siteward"))).toHaveLength(1);
  });

  test.for(Object.entries(unsafeFolders))("is not kept in a folder %s", ([, makeCacheHome]) =>
    expectUnused(bin, makeCacheHome),
  );

  test.skipIf(!isRoot).for(Object.entries(foreignFolders))("is not kept in a folder %s", ([, makeCacheHome]) =>
    expectUnused(bin, makeCacheHome),
  );

  test("is where NODE_COMPILE_CACHE says, and nowhere if NODE_DISABLE_COMPILE_CACHE is set", () => {
    using place = makePlace();
    run(bin, place, { NODE_COMPILE_CACHE: join(place.root, "own") });
    expect(readdirSync(join(place.root, "own"))).toHaveLength(1);
    expect(run(bin, place, { NODE_DISABLE_COMPILE_CACHE: "1" }).cachePaths).toEqual(new Set());
    expect(readdirSync(place.home)).toEqual([]);
  });

  test("is not needed: without a place for it the program runs", () => {
    using place = makePlace();
    expect(run(bin, place, { HOME: "/dev/null" }).cachePaths).toEqual(new Set());
  });

  test("is not needed: on a runtime that keeps none, such as some of Deno's, the program runs", () => {
    using place = makePlace();
    const script = 'import module from "node:module"; delete module.enableCompileCache;';
    const settings = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
    expect(run(bin, place, settings).cachePaths).toEqual(new Set());
    expect(readdirSync(place.home)).toEqual([]);
  });
});

test("both programs choose the folder in the same way, although their packages share no code", () => {
  const [ofCli, ofServer] = ["cli", "server"].map((app) =>
    readFileSync(fileURLToPath(new URL(`../../../apps/${app}/src/compile-cache.ts`, import.meta.url)), "utf8"),
  );
  expect(ofCli).toBe(ofServer);
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

/** An empty home and an empty temporary folder, gone after the test. */
function makePlace(): Place {
  const root = mkdtempSync(join(tmpdir(), "siteward-cache-"));
  const [home, temporary] = [join(root, "home"), join(root, "tmp")];
  for (const folder of [home, temporary]) makeFolder(folder, 0o700);
  return { root, home, temporary, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

/** Whatever the umask is. */
function makeFolder(path: string, mode: number): void {
  mkdirSync(path);
  chmodSync(path, mode);
}

/** Runs a program to its end. Node itself tells the files of compiled code that it reads and writes. */
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
