import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { userEnvironment } from "./support/run-in.ts";
import { type CommandOf, currentRuntimes, installRuntimes, lowestNodes } from "./support/runtimes.ts";
import { type InstalledServer, startInstalledServer } from "./support/start-installed-server.ts";
import { type Addresses, startWrongServers } from "./support/wrong-servers.ts";

const project = (name: string) => join(inject("installed"), name);
const cliBin = project("cli/node_modules/@siteward/cli/bin/siteward.js");

const resources = new AsyncDisposableStack();
let commandOf: CommandOf;
let server: InstalledServer;
let addresses: Addresses;

beforeAll(async () => {
  commandOf = installRuntimes([lowestNodes.siteward, ...currentRuntimes]);
  server = resources.use(await startInstalledServer());
  addresses = await startWrongServers(server.url, resources);
  for (const [name, file] of [
    ["sdk", "use-sdk.ts"],
    ["rules", "judge-visits.ts"],
  ] as const) {
    copyFileSync(join(import.meta.dirname, "support", file), join(project(name), file));
  }
  await runCli([process.execPath], "websites", "create", "first.example.com").ended;
});
afterAll(() => resources.disposeAsync());

describe.for(currentRuntimes)("on %s", (runtime) => {
  test("the SDK makes every call and reports every failure as documented", async () => {
    const apiKey = await server.createKey();
    const words = ["use-sdk.ts", apiKey, JSON.stringify(addresses)];
    expect(JSON.parse(await runFile(runtime, project("sdk"), words))).toEqual([]);
  });

  test("the rules judge as on this Node", async () => {
    const judged = await runFile(runtime, project("rules"), ["judge-visits.ts"]);
    expect(judged).toBe(await runFile("node@24.21.0", project("rules"), ["judge-visits.ts"]));
    for (const part of ['"counted":true', '"host"', '"ip"', '"bot"', "url ", "ip "]) expect(judged).toContain(part);
  });
});

describe.for([lowestNodes.siteward, ...currentRuntimes])("the CLI on %s", (runtime) => {
  const command = () => commandOf(runtime);

  test.for([
    "--version",
    "websites --help",
    "websites list --output table",
    "websites get 99",
    "websites get",
    "nothing",
  ])("does the same as on this Node: siteward %s", async (line) => {
    const ended = await runCli(command(), ...line.split(" ")).ended;
    expect(ended).toEqual(await runCli([process.execPath], ...line.split(" ")).ended);
  });

  test("reads a password from standard input", async () => {
    const { child, ended } = runCli(command(), "websites", "update", "1", "--privacy", "password", "--password-stdin");
    child.stdin?.end("correct horse battery staple");
    expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('"has_password": true') });
  });

  test("ends without an error if the reader of its output goes away", async () => {
    const { child, ended } = runCli(command(), "websites", "list");
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: "" });
  });

  test("ends with exit code 130 if it is interrupted", async () => {
    const environment = { SITEWARD_BASE_URL: addresses.stalling };
    const child = spawnCli(command(), ["--verbose", "websites", "list"], environment);
    await once(child.stderr ?? child, "data");
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([130, null]);
  });
});

test("the CLI fails if it waits for something that never comes, as an entry point that is a module does", async () => {
  const script = encodeURIComponent("process.stderr.write = () => true;");
  const child = spawnCli([process.execPath, `--import=data:text/javascript,${script}`], ["nothing"], {});
  expect(await once(child, "exit")).toEqual([13, null]);
});

/** Runs a TypeScript file. Deno gets only the permissions that the package needs, without the environment. */
async function runFile(runtime: string, cwd: string, words: string[]): Promise<string> {
  const [program, ...given] = commandOf(runtime);
  const flags = runtime.startsWith("deno") ? ["run", "--no-prompt", "--allow-net", "--allow-read"] : given;
  const { stdout } = await promisify(execFile)(program, [...flags, ...words], { cwd, env: userEnvironment({}) });
  return stdout;
}

function runCli(command: readonly string[], ...words: string[]) {
  const child = spawnCli(command, words, { SITEWARD_BASE_URL: server.url });
  const read = async () => {
    // A test may close it.
    const stdout = text(child.stdout).catch(() => "");
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    // Each request has an ID of its own.
    return { code, stdout: await stdout, stderr: stderr.replace(/"request_id":"[^"]+"/, "") };
  };
  return { child, ended: read() };
}

function spawnCli([program = "", ...flags]: readonly string[], words: string[], settings: Record<string, string>) {
  const env = userEnvironment({ SITEWARD_API_KEY: server.apiKey, ...settings });
  return spawn(program, [...flags, cliBin, ...words], { env, stdio: "pipe" });
}
