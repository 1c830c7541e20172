import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { describe, expect, test } from "vitest";
import { keys, startFakeService } from "./support/fake-service.ts";
import { keyringPrograms, openKeyring } from "./support/open-keyring.ts";
import { binPath, cleanEnvironment, runCli } from "./support/run-cli.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

describe.skipIf(lacksProgram(...keyringPrograms))("with a keyring", () => {
  test("a login stores the key there and not in the file, and commands use it", async () => {
    await using machine = await openMachine();
    const login = await machine.login();
    expect(login).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(login.stdout).key_store).toBe("keyring");
    expect(machine.keyring.storedKeys()).toEqual([keys.full]);
    expect(await readFile(machine.file, "utf8")).not.toContain("swk_");
    expect(await machine.run(["websites", "get", "1"])).toMatchObject({ exitCode: 0, stderr: "" });
    const list = await machine.run(["profiles", "list", "--fields", "name,key_store"]);
    expect(JSON.parse(list.stdout)).toEqual([{ name: "default", key_store: "keyring" }]);
  });

  test("a second login replaces the key, and each profile has its own", async () => {
    await using machine = await openMachine();
    await machine.login();
    await machine.login([], keys.withoutAccountScope);
    await machine.login(["--profile", "work"]);
    expect([...machine.keyring.storedKeys()].sort()).toEqual([keys.full, keys.withoutAccountScope]);
    expect((await machine.run(["account"])).exitCode, "the key without the scope").toBe(4);
    expect((await machine.run(["account", "--profile", "work"])).exitCode).toBe(0);
  });

  test.each([[["logout"]], [["profiles", "remove", "default"]]])("%j removes the key from both", async (args) => {
    await using machine = await openMachine();
    await machine.login();
    expect(await machine.run(args)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(machine.keyring.storedKeys()).toEqual([]);
    expect(JSON.parse(await readFile(machine.file, "utf8"))).toEqual({ profiles: {} });
  });

  test("SITEWARD_KEY_STORE=file stores the key in the file", async () => {
    await using machine = await openMachine({ SITEWARD_KEY_STORE: "file" });
    expect(JSON.parse((await machine.login()).stdout).key_store).toBe("file");
    expect(machine.keyring.storedKeys()).toEqual([]);
    expect(await machine.run(["account"])).toMatchObject({ exitCode: 0 });
  });

  test("a key in the file of an earlier login moves to the keyring at the next login", async () => {
    await using machine = await openMachine();
    const { baseUrl } = machine;
    await writeFile(machine.file, JSON.stringify({ profiles: { default: { api_key: keys.full, base_url: baseUrl } } }));
    await machine.login();
    expect(machine.keyring.storedKeys()).toEqual([keys.full]);
    expect(await readFile(machine.file, "utf8")).not.toContain("swk_");
  });

  test("a login whose profile cannot be written leaves no key in the keyring", async () => {
    await using machine = await openMachine();
    await writeFile(machine.file, "");
    const run = await machine.login([], keys.full, { SITEWARD_CONFIG_DIR: join(machine.file, "folder") });
    expect(run.exitCode).toBe(2);
    expect(machine.keyring.storedKeys()).toEqual([]);
  });

  test("a keyring that is gone keeps its profile, unless only the profile is to be removed", async () => {
    await using machine = await openMachine();
    await machine.login();
    await machine.keyring.end();
    const account = await machine.run(["account"]);
    expect(account.exitCode).toBe(2);
    expect(JSON.parse(account.stderr).error.message).toMatch(/^The keyring of this system cannot be used: .*\.$/);
    const before = await readFile(machine.file, "utf8");
    const logout = await machine.run(["logout"]);
    expect(JSON.parse(logout.stderr).error.message).toMatch(/^Nothing was removed\./);
    expect(await readFile(machine.file, "utf8")).toBe(before);
    expect((await machine.run(["logout"], { SITEWARD_KEY_STORE: "file" })).exitCode).toBe(0);
    expect(JSON.parse(await readFile(machine.file, "utf8"))).toEqual({ profiles: {} });
  });

  test("a key that is not in the keyring anymore is named by its profile", async () => {
    await using machine = await openMachine();
    const profiles = { default: { keyring_entry: "default-gone", base_url: machine.baseUrl } };
    await writeFile(machine.file, JSON.stringify({ profiles }));
    const run = await machine.run(["account"]);
    expect(run.exitCode).toBe(4);
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: "api_key_missing",
      message: 'The API key of profile "default" is not in the keyring of this system.',
    });
  });
});

describe("without a keyring that answers", () => {
  test("a login stores the key in the file in time, with a warning, even if D-Bus never answers", async () => {
    await using folder = await createTemporaryFolder();
    await using service = await startFakeService();
    const path = join(folder.path, "bus");
    const silent = createServer().listen(path);
    await once(silent, "listening");
    const env = {
      SITEWARD_KEY_STORE: "auto",
      SITEWARD_CONFIG_DIR: folder.path,
      SITEWARD_BASE_URL: service.baseUrl,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`,
    };
    const run = await runCli(["login", "--api-key-stdin"], { env, stdin: keys.full });
    silent.close();
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stdout).key_store).toBe("file");
    expect(JSON.parse(run.stderr).warning.message).toMatch(/did not answer within 5 s.*profile file instead\.$/);
    expect(await runCli(["account"], { env })).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("no process of the keyring is left once the CLI is gone", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "bus");
    const silent = createServer((socket) => socket.resume()).listen(path);
    const connected = once(silent, "connection");
    const profiles = { default: { keyring_entry: "default-1", base_url: "http://127.0.0.1:9" } };
    await writeFile(join(folder.path, "profiles.json"), JSON.stringify({ profiles }));
    const env = cleanEnvironment({
      SITEWARD_KEY_STORE: "auto",
      SITEWARD_CONFIG_DIR: folder.path,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`,
    });
    const cli = spawn(process.execPath, [binPath, "account"], { env, stdio: "ignore" });
    const [connection] = await connected;
    const closed = once(connection, "close");
    cli.kill("SIGKILL");
    await closed;
    silent.close();
  });

  test("a server without a D-Bus session uses the file, without a warning", async () => {
    await using folder = await createTemporaryFolder();
    await using service = await startFakeService();
    const env = { SITEWARD_KEY_STORE: "auto", SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: service.baseUrl };
    const run = await runCli(["login", "--api-key-stdin"], { env, stdin: keys.full });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(run.stdout).key_store).toBe("file");
  });

  test.each([
    ["keyring", "settings_unusable", /no D-Bus session/],
    ["vault", "usage", /SITEWARD_KEY_STORE is "vault"\. Set it to auto, keyring or file\./],
  ])("SITEWARD_KEY_STORE=%s is refused with %s", async (store, code, message) => {
    await using folder = await createTemporaryFolder();
    await using service = await startFakeService();
    const env = { SITEWARD_KEY_STORE: store, SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: service.baseUrl };
    const run = await runCli(["login", "--api-key-stdin"], { env, stdin: keys.full });
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stderr).error).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

/** A machine with a keyring, a service and a profile file. */
async function openMachine(more: Readonly<Record<string, string>> = {}) {
  const keyring = await openKeyring();
  const service = await startFakeService(["example.com"]);
  const folder = await createTemporaryFolder();
  const env = { ...keyring.env, SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: service.baseUrl, ...more };
  return {
    keyring,
    baseUrl: service.baseUrl,
    file: join(folder.path, "profiles.json"),
    run: (args: readonly string[], extra: Readonly<Record<string, string>> = {}) =>
      runCli(args, { env: { ...env, ...extra } }),
    login: (flags: readonly string[] = [], key: string = keys.full, extra: Readonly<Record<string, string>> = {}) =>
      runCli(["login", "--api-key-stdin", ...flags], { env: { ...env, ...extra }, stdin: key }),
    [Symbol.asyncDispose]: async () => {
      for (const resource of [keyring, service, folder]) await resource[Symbol.asyncDispose]();
    },
  };
}
