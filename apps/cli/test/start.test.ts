import { describe, expect } from "vitest";
import { test } from "./support/cli-test.ts";
import { jsonOf, runCli } from "./support/run-cli.ts";
import { startCli } from "./support/start-cli.ts";

/** Prints what was loaded: files of programs, and built-in modules. */
const listLoaded = `import module from "node:module";
  process.on("exit", () => console.error([...Object.keys(module._cache), ...process.moduleLoadList].join("\\n")));`;
const preload = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(listLoaded)}` };

/** What every run loads, besides `start`: the helper of the bundler, and what decides where Node keeps compiled code. */
const always = ["bin", "compile-cache", "describe-old-node", "rolldown-runtime", "start"];

describe("the built CLI", () => {
  test("loads no command for --version", async () => {
    const { stdout, stderr } = await startCli("--version", { env: preload, stdin: "" }).ended;
    expect(stdout).toBe((await runCli("--version")).stdout);
    expect(filesIn(stderr)).toEqual(always);
  });

  test.for(["--help", "websites get -h", "help websites list"])(
    "has the help of the sources for `siteward %s`, and loads no command",
    async (words) => {
      const built = await startCli(words, { env: preload, stdin: "" }).ended;
      const source = await runCli(words);
      expect(built).toMatchObject({ exitCode: 0, stdout: source.stdout });
      expect(built.stdout).toContain("Usage: siteward ");
      expect(filesIn(built.stderr)).toEqual([...always, "help-pages"].toSorted());
    },
  );

  test("loads one file for a request, and none of Node's large modules that it does not need", async ({ cli }) => {
    await cli.add("example.com");
    const run = await cli.start("websites get 1", { env: preload, stdin: "" }).ended;
    expect(jsonOf(run)).toMatchObject({ id: 1 });
    expect(filesIn(run.stderr)).toEqual([...always, "request"].toSorted());
    expect(run.stderr).toContain("NativeModule http\n");
    const undici = "internal/deps/undici/undici";
    const large = [undici, "crypto", "fs/promises", "readline", "child_process", "tls", "worker_threads"];
    expect(large.filter((name) => run.stderr.includes(`NativeModule ${name}\n`))).toEqual([]);
  });

  test("uses standard input, the home folder and the settings of its process", async ({ cli, folder }) => {
    const env = { SITEWARD_API_KEY: "", SITEWARD_KEY_STORE: "file", SITEWARD_CONFIG_DIR: "", HOME: folder.path };
    const login = await cli.start("login --api-key-stdin", { env, stdin: cli.fake.apiKey }).ended;
    expect(login).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await cli.start("account", { env, stdin: "" }).ended).toMatchObject({ exitCode: 0, stderr: "" });
    expect((await cli.start("websites get 7", { env, stdin: "" }).ended).exitCode).toBe(3);
    const unused = await cli.start("websites list --no-color -o table", { env: { NO_COLOR: "" }, stdin: "" }).ended;
    expect(unused).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });
});

/** Returns the names of the files in `dist` that were loaded, without their hashes, sorted. */
function filesIn(loaded: string): readonly (string | undefined)[] {
  return [...loaded.matchAll(/\/dist\/(describe-old-node|[a-z-]+?)(-[\w-]{8})?\.cjs$/gm)]
    .map(([, name]) => name)
    .toSorted();
}
