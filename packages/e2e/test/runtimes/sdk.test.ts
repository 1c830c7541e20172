import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "../support/built-server.ts";
import { currentRuntimes } from "../support/current-runtimes.ts";
import { installRuntimes, type Runtimes } from "../support/install-runtimes.ts";
import { newcomerEnvironment } from "../support/newcomer-environment.ts";
import { type Addresses, startAddresses } from "../support/smoke/addresses.ts";
import { expected } from "../support/smoke/expected.ts";

/** Without the permission to read the environment, as many run Deno. It has to read the file and the SDK. */
const denoFlags = ["run", "--no-prompt", "--allow-net", "--allow-read"];

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const smokeFile = fileURLToPath(new URL("../support/smoke/smoke.ts", import.meta.url));

const resources = new AsyncDisposableStack();
let runtimes: Runtimes;
let server: BuiltServer;
let addresses: Addresses;
let folder = "";

beforeAll(async () => {
  runtimes = resources.use(installRuntimes(currentRuntimes));
  server = resources.use(await startBuiltServer());
  addresses = await startAddresses(server.url, resources);
  folder = await mkdtemp(join(tmpdir(), "siteward-smoke-"));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  await installSdk();
});
afterAll(() => resources.disposeAsync());

test.for(currentRuntimes)("the SDK on %s makes every call and reports every failure as on the others", async (name) => {
  const { apiKey } = await server.createAccount();
  const [program = "", ...flags] = runtimes.commandOf(name);
  const commandLine = [...(name.startsWith("deno") ? denoFlags : flags), "smoke.ts", apiKey, JSON.stringify(addresses)];
  const { stdout } = await run(program, commandLine, { cwd: folder, env: newcomerEnvironment({}) });
  expect(JSON.parse(stdout)).toEqual(expected);
});

/** Packs the SDK, and installs it as a user does, in a project that has nothing else. */
async function installSdk(): Promise<void> {
  await run("pnpm", ["--filter", "@siteward/sdk", "pack", "--pack-destination", folder], { cwd: root });
  const [tarball = ""] = await readdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const options = ["--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", ...options, join(folder, tarball)], { cwd: folder, env: newcomerEnvironment({}) });
  await copyFile(smokeFile, join(folder, "smoke.ts"));
}
