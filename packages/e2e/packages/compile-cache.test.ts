import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { tryIn } from "./support/run-in.ts";

const anotherUser = 65_534;

/** Prepares a folder for caches, in which another user could put code. */
const unsafeFolders: Record<string, (cacheHome: string) => void> = {
  "that everyone can write": (root) => makeFolder(join(root, "siteward"), 0o777),
  "that the group can write": (root) => makeFolder(join(root, "siteward"), 0o770),
  "that everyone can enter": (root) => makeFolder(join(root, "siteward"), 0o755),
  "that everyone can write, even if a sticky bit protects its files": (root) =>
    makeFolder(join(root, "siteward"), 0o1777),
  "below a folder that everyone can write": (root) => chmodSync(root, 0o777),
  "that is a symbolic link": (root) => {
    makeFolder(join(root, "elsewhere"), 0o700);
    symlinkSync(join(root, "elsewhere"), join(root, "siteward"));
  },
  ...(process.geteuid?.() === 0 && {
    "of another user": (root) => {
      makeFolder(join(root, "siteward"), 0o700);
      chownSync(join(root, "siteward"), anotherUser, anotherUser);
    },
    "below a folder of another user": (root) => chownSync(root, anotherUser, anotherUser),
  }),
};

describe.each([
  ["siteward", "cli"],
  ["siteward-server", "server"],
])("the compile cache of %s", (program, name) => {
  const bin = join(inject("installed"), name, "node_modules/.bin", program);

  test("is in a folder of the user, or in XDG_CACHE_HOME, and never below the temporary folder", () => {
    using place = makePlace();
    makeFolder(join(place.path, "node-compile-cache"), 0o777);
    run(bin, place.path);
    expect(readdirSync(join(place.path, ".cache/siteward"))).toHaveLength(1);
    expect(lstatSync(join(place.path, ".cache/siteward")).mode & 0o777).toBe(0o700);
    run(bin, place.path, { XDG_CACHE_HOME: join(place.path, "cache") });
    expect(readdirSync(join(place.path, "cache/siteward"))).toHaveLength(1);
    expect(readdirSync(join(place.path, "node-compile-cache"))).toEqual([]);
  });

  test.for(Object.entries(unsafeFolders))("does not use a folder %s", ([, prepare]) => {
    using place = makePlace();
    const root = join(place.path, "caches");
    makeFolder(root, 0o700);
    prepare(root);
    const before = readdirSync(root, { recursive: true });
    run(bin, place.path, { XDG_CACHE_HOME: root });
    expect(readdirSync(root, { recursive: true })).toEqual(before);
  });

  test("is where Node's own variables put it, and the program runs without one", () => {
    using place = makePlace();
    run(bin, place.path, { NODE_COMPILE_CACHE: join(place.path, "own") });
    expect(readdirSync(join(place.path, "own"))).toHaveLength(1);
    const script = 'import module from "node:module"; delete module.enableCompileCache;';
    run(bin, place.path, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` });
    run(bin, place.path, { NODE_DISABLE_COMPILE_CACHE: "1" });
    run(bin, place.path, { HOME: "/dev/null" });
    expect(readdirSync(place.path)).toEqual(["own"]);
  });
});

function makePlace(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "siteward-cache-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Creates a folder with an exact mode, whatever the umask is. */
function makeFolder(path: string, mode: number): void {
  mkdirSync(path);
  chmodSync(path, mode);
}

/** Runs a program until it exits, with an empty home that is also the temporary folder. */
function run(bin: string, home: string, settings: Record<string, string> = {}): void {
  const own = { HOME: home, TMPDIR: home, XDG_CACHE_HOME: "", ...settings };
  expect(tryIn(home, own, bin, "--version")).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+$/m),
  });
}
