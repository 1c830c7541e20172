import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keys, startFakeService } from "./support/fake-service.ts";
import { runCli } from "./support/run-cli.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

async function mode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

describe("a stored key", () => {
  test("is not sent to a different URL from the environment, but is sent to one that is typed", async () => {
    await using home = await startFakeService(["example.com"]);
    await using stranger = await startFakeService(["example.com"]);
    await using folder = await createTemporaryFolder();
    const env = { SITEWARD_CONFIG_DIR: folder.path };
    await runCli(["login", "--api-key-stdin", "--base-url", home.baseUrl], { env, stdin: keys.full });
    const led = { ...env, SITEWARD_BASE_URL: stranger.baseUrl };
    const run = await runCli(["websites", "get", "1"], { env: led });
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stderr).error.message).toContain("SITEWARD_BASE_URL");
    expect(stranger.requests).toEqual([]);
    const typed = await runCli(["websites", "get", "1", "--base-url", stranger.baseUrl], { env: led });
    expect(typed.exitCode).toBe(0);
    expect(stranger.requests).toHaveLength(1);
  });
});

describe("login", () => {
  test("verifies the key, stores it where only its owner can read it, and later commands use it", async () => {
    await using service = await startFakeService(["example.com"]);
    await using folder = await createTemporaryFolder();
    const env = { SITEWARD_CONFIG_DIR: join(folder.path, "new", "place") };
    const login = await runCli(["login", "--api-key-stdin", "--base-url", `${service.baseUrl}/`], {
      env,
      stdin: `${keys.full}\n`,
    });
    expect(login).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(login.stdout)).toMatchObject({
      profile: "default",
      base_url: service.baseUrl,
      account: { name: "Ada" },
    });
    expect(login.stdout).not.toContain(keys.full);
    expect(await mode(env.SITEWARD_CONFIG_DIR)).toBe("700");
    expect(await mode(join(env.SITEWARD_CONFIG_DIR, "profiles.json"))).toBe("600");
    expect(await readdir(env.SITEWARD_CONFIG_DIR), "no temporary file is left").toEqual(["profiles.json"]);
    expect(await runCli(["websites", "get", "1"], { env })).toMatchObject({ exitCode: 0 });
    expect(service.requests.at(-1)?.userAgent).toMatch(/^siteward-cli\/\S+ siteward-sdk\//);
  });

  test("several at the same time lose none", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const env = { SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: service.baseUrl };
    const names = Array.from({ length: 8 }, (_, index) => `profile-${index}`);
    const logIn = (name: string) => runCli(["login", "--api-key-stdin", "--profile", name], { env, stdin: keys.full });
    for (const run of await Promise.all(names.map(logIn))) expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    const list = await runCli(["profiles", "list"], { env });
    expect(JSON.parse(list.stdout)).toMatchObject(names.map((name) => ({ name })));
    expect(await readdir(folder.path)).toEqual(["profiles.json"]);
  });

  test("a mistyped key fails without a request and stores nothing", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const env = { SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: service.baseUrl };
    const run = await runCli(["login", "--api-key-stdin"], { env, stdin: keys.full.slice(0, -1) });
    expect(run.exitCode).toBe(4);
    expect(JSON.parse(run.stderr).error.code).toBe("api_key_mistyped");
    expect(run.stderr).not.toContain(keys.full.slice(0, -1));
    expect(service.requests).toEqual([]);
    expect(await readdir(folder.path)).toEqual([]);
  });

  test("a revoked key stores nothing", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const env = { SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: service.baseUrl };
    const run = await runCli(["login", "--api-key-stdin"], { env, stdin: keys.revoked });
    expect(run.exitCode).toBe(4);
    expect(await readdir(folder.path)).toEqual([]);
  });

  test("a key without the scope for the account is accepted", async () => {
    await using service = await startFakeService(["example.com"]);
    await using folder = await createTemporaryFolder();
    const env = { SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: service.baseUrl };
    const run = await runCli(["login", "--api-key-stdin"], { env, stdin: keys.withoutAccountScope });
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stdout).account).toBeNull();
  });

  test("without a key and a terminal, names the flags that pass a key", async () => {
    const run = await runCli(["login"]);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(/--api-key-stdin or --api-key-file/);
  });

  test("a profile file that is a symbolic link stays one", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    await using elsewhere = await createTemporaryFolder();
    const target = join(elsewhere.path, "kept.json");
    await writeFile(target, '{"profiles":{}}', { mode: 0o600 });
    await symlink(target, join(folder.path, "profiles.json"));
    const env = { SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: service.baseUrl };
    await runCli(["login", "--api-key-stdin"], { env, stdin: keys.full });
    expect(await readFile(target, "utf8")).toContain(keys.full);
  });
});

describe("logout", () => {
  test("removes only that profile, and succeeds if it does not exist", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const env = { SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: service.baseUrl };
    for (const profile of ["default", "work"]) {
      await runCli(["login", "--api-key-stdin", "--profile", profile], { env, stdin: keys.full });
    }
    const first = await runCli(["logout", "--profile", "work"], { env });
    const second = await runCli(["logout", "--profile", "work"], { env });
    expect([JSON.parse(first.stdout), JSON.parse(second.stdout)]).toEqual([
      { profile: "work", removed: true },
      { profile: "work", removed: false },
    ]);
    expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
    expect(await runCli(["account"], { env })).toMatchObject({ exitCode: 0 });
    expect((await runCli(["account", "--profile", "work"], { env })).exitCode).toBe(4);
  });
});

describe("precedence", () => {
  test("a flag overrides the environment, which overrides the profile, for key and URL alike", async () => {
    await using ofProfile = await startFakeService(["profile.example"]);
    await using ofEnvironment = await startFakeService(["environment.example"]);
    await using ofFlag = await startFakeService(["flag.example"]);
    await using folder = await createTemporaryFolder();
    const keyFile = join(folder.path, "key.txt");
    await writeFile(keyFile, `${keys.full}\n`);
    const stored = { SITEWARD_CONFIG_DIR: folder.path };
    const login = ["login", "--api-key-stdin", "--base-url", ofProfile.baseUrl];
    await runCli(login, { env: stored, stdin: keys.full });
    const get = ["websites", "get", "1", "--fields", "domain"];

    const fromProfile = await runCli(get, { env: stored });
    expect(JSON.parse(fromProfile.stdout).domain).toBe("profile.example");

    const overridden = { ...stored, SITEWARD_BASE_URL: ofEnvironment.baseUrl, SITEWARD_API_KEY: keys.revoked };
    expect((await runCli(get, { env: overridden })).exitCode, "the key of the environment is used").toBe(4);
    expect(ofEnvironment.requests, "the URL of the environment is used").toHaveLength(1);

    const flags = ["--base-url", ofFlag.baseUrl, "--api-key-file", keyFile];
    const fromFlags = await runCli([...get, ...flags], { env: overridden });
    expect(JSON.parse(fromFlags.stdout).domain).toBe("flag.example");
  });

  test("SITEWARD_PROFILE selects the profile, --profile overrides it, an empty variable counts as not set", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const env = { SITEWARD_CONFIG_DIR: folder.path };
    const login = ["login", "--api-key-stdin", "--base-url", service.baseUrl];
    await runCli([...login, "--profile", "work"], { env, stdin: keys.full });
    expect((await runCli(["account"], { env: { ...env, SITEWARD_PROFILE: "work" } })).exitCode).toBe(0);
    expect((await runCli(["account"], { env: { ...env, SITEWARD_PROFILE: "" } })).exitCode).toBe(4);
    const named = { env: { ...env, SITEWARD_PROFILE: "gone" } };
    expect((await runCli(["account", "--profile", "work"], named)).exitCode).toBe(0);
    const gone = await runCli(["account"], named);
    expect(gone.exitCode).toBe(4);
    expect(JSON.parse(gone.stderr).error.message).toMatch(/Profile "gone" does not exist\. Existing profiles: work\./);
  });

  test("without SITEWARD_CONFIG_DIR, the profiles are in XDG_CONFIG_HOME", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const env = { XDG_CONFIG_HOME: folder.path, SITEWARD_BASE_URL: service.baseUrl };
    await runCli(["login", "--api-key-stdin"], { env, stdin: keys.full });
    expect(await readdir(join(folder.path, "siteward"))).toEqual(["profiles.json"]);
  });
});

describe("the profile file", () => {
  test("works with a warning if other users can read it, and is private again after the next login", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const env = { SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: service.baseUrl };
    const path = join(folder.path, "profiles.json");
    await runCli(["login", "--api-key-stdin"], { env, stdin: keys.full });
    await chmod(path, 0o644);
    const run = await runCli(["account"], { env });
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stderr).warning.message).toContain(`chmod 600 ${path}`);
    expect((await runCli(["account"], { env: { ...env, SITEWARD_API_KEY: keys.full } })).stderr).toBe("");
    await runCli(["login", "--api-key-stdin"], { env, stdin: keys.full });
    expect(await mode(path)).toBe("600");
  });

  test("is refused by its path if it is broken, and is not overwritten", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "profiles.json");
    await writeFile(path, "{");
    const run = await runCli(["login", "--api-key-stdin"], {
      env: { SITEWARD_CONFIG_DIR: folder.path },
      stdin: keys.full,
    });
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stderr).error.message).toContain(path);
    expect(await readFile(path, "utf8")).toBe("{");
  });

  test("is refused by its path if it cannot be read", async () => {
    await using folder = await createTemporaryFolder();
    await mkdir(join(folder.path, "profiles.json"));
    const run = await runCli(["account"], { env: { SITEWARD_CONFIG_DIR: folder.path } });
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stderr).error.code).toBe("settings_unusable");
  });
});
