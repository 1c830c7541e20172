import { mkdtempDisposableSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { tryIn } from "./support/run-in.ts";

/** Makes `home` the home that the system knows of the user. HOME names another folder. */
const withHome = `
  import module from "node:module";
  import os from "node:os";
  os.userInfo = () => ({ homedir: process.cwd() + "/home" });
  module.syncBuiltinESMExports();`;
const withoutCache = "delete module.enableCompileCache;";

describe.each([
  ["siteward", "cli"],
  ["siteward-server", "server"],
  ["siteward-edge", "edge"],
])("the compile cache of %s", (program, name) => {
  const bin = join(inject("installed"), name, "node_modules/.bin", program);

  test("is in the home of the user, whatever HOME says, and never below the temporary folder", () => {
    using place = makePlace();
    run(bin, place.path);
    expect(readdirSync(place.path)).toEqual(["home"]);
    expect(readdirSync(join(place.path, "home/.cache/siteward"))).toHaveLength(1);
  });

  test("is where Node's own variables put it, and the program runs without one", () => {
    using place = makePlace();
    run(bin, place.path, { NODE_COMPILE_CACHE: join(place.path, "own") });
    expect(readdirSync(join(place.path, "own"))).toHaveLength(1);
    run(bin, place.path, { NODE_DISABLE_COMPILE_CACHE: "1" });
    run(bin, place.path, {}, withHome + withoutCache);
    expect(readdirSync(place.path)).toEqual(["own"]);
  });
});

const makePlace = () => mkdtempDisposableSync(join(tmpdir(), "siteward-cache-"));

/** Runs a program until it exits, in a folder that HOME names and that is also the temporary folder. */
function run(bin: string, folder: string, settings: Record<string, string> = {}, script: string = withHome): void {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(script)}`;
  expect(tryIn(folder, { HOME: folder, TMPDIR: folder, NODE_OPTIONS, ...settings }, bin, "--version")).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+$/m),
  });
}
