import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { describe, expect } from "vitest";
import { test as base } from "./support/cli-test.ts";
import { keyringPrograms, openKeyring, type TestKeyring } from "./support/open-keyring.ts";
import { type CommandLine, errorOf, jsonOf, type RunResult, runCli, warningsOf } from "./support/run-cli.ts";
import { startCli } from "./support/start-cli.ts";
import type { TemporaryFolder } from "./support/temporary-folder.ts";

/** A machine with a keyring and a profile file, on which the built CLI runs: a process of it asks the keyring. */
interface Machine {
  readonly keyring: TestKeyring;
  readonly run: (
    commandLine: CommandLine,
    env?: Readonly<Record<string, string>>,
    stdin?: string,
  ) => Promise<RunResult>;
  /** Logs in to the service of the test. */
  readonly login: (flags?: string, env?: Readonly<Record<string, string>>, key?: string) => Promise<RunResult>;
}

const test = base.extend<{ readonly machine: Machine }>({
  machine: async ({ cli, folder }, use) => {
    await using keyring = await openKeyring();
    const settings = { ...keyring.env, SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: cli.url };
    const run: Machine["run"] = (commandLine, env, stdin = "") =>
      startCli(commandLine, { env: { ...settings, ...env }, stdin }).ended;
    const login: Machine["login"] = (flags = "", env = {}, key = cli.fake.apiKey) =>
      run(`login --api-key-stdin ${flags}`, env, key);
    await use({ keyring, run, login });
  },
});

/** Writes a profile whose key is in the keyring. */
async function storeProfile({ write }: TemporaryFolder, keyring_entry = "default-1", base_url = "http://127.0.0.1:9") {
  await write("profiles.json", JSON.stringify({ profiles: { default: { keyring_entry, base_url } } }));
}

describe.skipIf(lacksProgram(...keyringPrograms))("with a keyring", () => {
  test("a login stores the key there and not in the file, and commands use it", async ({ cli, machine, folder }) => {
    const profiles = { default: { api_key: cli.fake.apiKey, base_url: cli.url } };
    await folder.write("profiles.json", JSON.stringify({ profiles }));
    const login = await machine.login();
    expect(login).toMatchObject({ exitCode: 0, stderr: "" });
    expect(jsonOf(login).key_store).toBe("keyring");
    expect(machine.keyring.storedKeys()).toEqual([cli.fake.apiKey]);
    expect(await folder.read("profiles.json"), "nor the key of an earlier login").not.toContain("swk_");
    expect(await machine.run("account")).toMatchObject({ exitCode: 0, stderr: "" });
    const list = await machine.run("profiles list --fields name,key_store");
    expect(jsonOf(list)).toEqual([{ name: "default", key_store: "keyring" }]);
  });

  test("a second login replaces the key, and each profile has its own", async ({ cli, machine }) => {
    const other = cli.fake.createApiKey({ scopes: ["websites:read"] });
    await machine.login();
    await machine.login("", {}, other);
    await machine.login("--profile work");
    expect(machine.keyring.storedKeys().toSorted()).toEqual([cli.fake.apiKey, other].toSorted());
    expect((await machine.run("account")).exitCode, "the key without the scope").toBe(4);
    expect((await machine.run("account --profile work")).exitCode).toBe(0);
  });

  test.for(["logout", "profiles remove default"])(
    "%s removes the key from both",
    async (words, { machine, folder }) => {
      await machine.login();
      expect(await machine.run(words)).toMatchObject({ exitCode: 0, stderr: "" });
      expect(machine.keyring.storedKeys()).toEqual([]);
      expect(JSON.parse(await folder.read("profiles.json"))).toEqual({ profiles: {} });
    },
  );

  test("SITEWARD_KEY_STORE=file stores the key in the file", async ({ machine }) => {
    const inFile = { SITEWARD_KEY_STORE: "file" };
    expect(jsonOf(await machine.login("", inFile)).key_store).toBe("file");
    expect(machine.keyring.storedKeys()).toEqual([]);
    expect(await machine.run("account", inFile)).toMatchObject({ exitCode: 0 });
  });

  test("a login whose profile cannot be written leaves no key in the keyring", async ({ machine, folder }) => {
    await folder.write("profiles.json", "");
    const run = await machine.login("", { SITEWARD_CONFIG_DIR: join(folder.path, "profiles.json", "folder") });
    expect(run.exitCode).toBe(2);
    expect(machine.keyring.storedKeys()).toEqual([]);
  });

  test("a keyring that is gone keeps its profile, unless that alone is removed", async ({ machine, folder }) => {
    await machine.login();
    await machine.keyring.end();
    const account = await machine.run("account");
    expect(account.exitCode).toBe(2);
    expect(errorOf(account).message).toMatch(/^The keyring of this system cannot be used: .*\.$/);
    const before = await folder.read("profiles.json");
    expect(errorOf(await machine.run("logout")).message).toMatch(/^The keyring of this system cannot be used/);
    expect(await folder.read("profiles.json")).toBe(before);
    expect((await machine.run("logout", { SITEWARD_KEY_STORE: "file" })).exitCode).toBe(0);
    expect(JSON.parse(await folder.read("profiles.json"))).toEqual({ profiles: {} });
  });

  test("a key that is not in the keyring anymore is named by its profile", async ({ cli, machine, folder }) => {
    await storeProfile(folder, "default-gone", cli.url);
    const run = await machine.run("account");
    expect(run.exitCode).toBe(4);
    const message = 'The API key of profile "default" is not in the keyring of this system.';
    expect(errorOf(run)).toMatchObject({ code: "api_key_missing", message });
  });
});

describe("without a keyring that answers", () => {
  test("a login stores the key in the file if D-Bus never answers, with a warning", async ({ cli, folder }) => {
    const path = join(folder.path, "bus");
    const silent = createServer().listen(path);
    await once(silent, "listening");
    const env = {
      SITEWARD_KEY_STORE: "auto",
      SITEWARD_CONFIG_DIR: folder.path,
      SITEWARD_BASE_URL: cli.url,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`,
    };
    const run = await startCli("login --api-key-stdin", { env, stdin: cli.fake.apiKey }).ended;
    silent.close();
    expect(run.exitCode).toBe(0);
    expect(jsonOf(run).key_store).toBe("file");
    expect(warningsOf(run)).toEqual([expect.stringMatching(/did not answer within 5 s.*profile file instead\.$/)]);
    expect(await runCli("account", { env })).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("no process of the keyring is left once the CLI is gone", async ({ folder }) => {
    const path = join(folder.path, "bus");
    const silent = createServer((socket) => socket.resume()).listen(path);
    const connected = once(silent, "connection");
    await storeProfile(folder);
    const bus = { SITEWARD_KEY_STORE: "auto", DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` };
    const { child } = startCli("account", { env: { ...bus, SITEWARD_CONFIG_DIR: folder.path } });
    const [connection] = await connected;
    const closed = once(connection, "close");
    child.kill("SIGKILL");
    await closed;
    silent.close();
  });

  test("the built CLI finds its keyring process, and the library in it", async ({ folder }) => {
    await storeProfile(folder);
    const bus = { SITEWARD_KEY_STORE: "auto", DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder.path}/missing` };
    const run = await startCli("account", { env: { ...bus, SITEWARD_CONFIG_DIR: folder.path } }).ended;
    expect(run.exitCode).toBe(2);
    const message = expect.stringContaining(`${folder.path}/missing`);
    expect(errorOf(run), "the library tried to connect").toMatchObject({ code: "settings_unusable", message });
  });

  test("SITEWARD_KEY_STORE=file reads no key from the keyring, and says so", async ({ folder }) => {
    await storeProfile(folder);
    const run = await runCli("account", { env: { SITEWARD_KEY_STORE: "file", SITEWARD_CONFIG_DIR: folder.path } });
    expect(run.exitCode).toBe(2);
    const message = 'The API key of profile "default" is in the keyring, which SITEWARD_KEY_STORE=file turns off.';
    expect(errorOf(run)).toMatchObject({ code: "settings_unusable", message });
  });

  test("a server without a D-Bus session uses the file, without a warning", async ({ cli, folder }) => {
    const env = { SITEWARD_KEY_STORE: "auto", SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: cli.url };
    const run = await runCli("login --api-key-stdin", { env, stdin: cli.fake.apiKey });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(jsonOf(run).key_store).toBe("file");
  });

  test.for([
    ["keyring", "settings_unusable", /no D-Bus session/],
    ["vault", "usage", /SITEWARD_KEY_STORE is "vault"\. Set it to auto, keyring or file\./],
  ] as const)("SITEWARD_KEY_STORE=%s is refused with %s", async ([store, code, message], { cli, folder }) => {
    const env = { SITEWARD_KEY_STORE: store, SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: cli.url };
    const run = await runCli("login --api-key-stdin", { env, stdin: cli.fake.apiKey });
    expect(run.exitCode).toBe(2);
    expect(errorOf(run)).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});
