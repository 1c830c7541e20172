import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keys, startFakeService } from "./support/fake-service.ts";
import { runCli } from "./support/run-cli.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

describe("profiles", () => {
  test("without a profile there are none", async () => {
    const run = await runCli(["profiles", "list"]);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(run.stdout)).toEqual([]);
  });

  test("list shows every profile without its key, and which one commands use", async () => {
    await using stored = await storeProfiles();
    const run = await runCli(["profiles", "list"], { env: stored.env });
    expect(JSON.parse(run.stdout)).toEqual([
      { name: "default", current: true, base_url: stored.home, key_store: "file" },
      { name: "work", current: false, base_url: stored.work, key_store: "file" },
    ]);
    expect(run.stdout).not.toContain("swk_");
  });

  test("use chooses the profile of later commands; --profile and SITEWARD_PROFILE still override it", async () => {
    await using stored = await storeProfiles();
    const use = await runCli(["profiles", "use", "work"], { env: stored.env });
    expect(JSON.parse(use.stdout)).toEqual({ name: "work", current: true, base_url: stored.work, key_store: "file" });
    const get = ["websites", "get", "1", "--fields", "domain"];
    const chosen = await runCli(get, { env: stored.env });
    expect(JSON.parse(chosen.stdout).domain).toBe("work.example");
    const byFlag = await runCli([...get, "--profile", "default"], { env: stored.env });
    expect(JSON.parse(byFlag.stdout).domain).toBe("home.example");
    const byVariable = await runCli(get, { env: { ...stored.env, SITEWARD_PROFILE: "default" } });
    expect(JSON.parse(byVariable.stdout).domain).toBe("home.example");
  });

  test("use warns if SITEWARD_PROFILE overrides the choice", async () => {
    await using stored = await storeProfiles();
    const env = { ...stored.env, SITEWARD_PROFILE: "default" };
    const run = await runCli(["profiles", "use", "work"], { env });
    expect(JSON.parse(run.stderr).warning.message).toContain("SITEWARD_PROFILE");
  });

  test("remove removes one profile, and none is current if it was", async () => {
    await using stored = await storeProfiles();
    await runCli(["profiles", "use", "work"], { env: stored.env });
    const run = await runCli(["profiles", "remove", "work"], { env: stored.env });
    expect(JSON.parse(run.stdout)).toEqual({ profile: "work", removed: true });
    const list = await runCli(["profiles", "list"], { env: stored.env });
    expect(JSON.parse(list.stdout)).toEqual([
      { name: "default", current: true, base_url: stored.home, key_store: "file" },
    ]);
  });

  test("a login keeps the choice of the current profile", async () => {
    await using stored = await storeProfiles();
    await runCli(["profiles", "use", "work"], { env: stored.env });
    const login = ["login", "--api-key-stdin", "--profile", "other", "--base-url", stored.home];
    await runCli(login, { env: stored.env, stdin: keys.full });
    const list = await runCli(["profiles", "list", "--fields", "name,current"], { env: stored.env });
    expect(JSON.parse(list.stdout)).toContainEqual({ name: "work", current: true });
  });

  test.each([
    ["use", "Log in with `siteward login --profile gone`."],
    ["remove", "List the profiles with `siteward profiles list`."],
  ])("%s of an unknown profile is not found, names those that exist, and says: %s", async (verb, next) => {
    await using stored = await storeProfiles();
    const run = await runCli(["profiles", verb, "gone"], { env: stored.env });
    expect(run).toMatchObject({ exitCode: 3, stdout: "" });
    const message = 'Profile "gone" does not exist. Existing profiles: default, work.';
    expect(JSON.parse(run.stderr).error).toEqual({ code: "not_found", message, next });
  });

  test("remove does not say to log in if no profile exists", async () => {
    const { exitCode, stderr } = await runCli(["profiles", "remove", "gone"]);
    expect(exitCode).toBe(3);
    const message = 'Profile "gone" does not exist. No profile exists yet.';
    expect(JSON.parse(stderr).error).toEqual({ code: "not_found", message });
  });

  test("without a choice and a default profile, the error says how to choose one", async () => {
    await using stored = await storeProfiles();
    await runCli(["logout"], { env: stored.env });
    const run = await runCli(["account"], { env: stored.env });
    expect(run.exitCode).toBe(4);
    expect(JSON.parse(run.stderr).error).toMatchObject({
      message: expect.stringContaining("Existing profiles: work."),
      next: expect.stringContaining("siteward profiles use work"),
    });
  });

  test("a file of an earlier version works", async () => {
    await using service = await startFakeService(["example.com"]);
    await using folder = await createTemporaryFolder();
    const file = { profiles: { default: { api_key: keys.full, base_url: service.baseUrl } } };
    await writeFile(join(folder.path, "profiles.json"), JSON.stringify(file), { mode: 0o600 });
    const run = await runCli(["account"], { env: { SITEWARD_CONFIG_DIR: folder.path } });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  });
});

/** Two services, and a folder with a profile for each. */
async function storeProfiles() {
  const home = await startFakeService(["home.example"]);
  const work = await startFakeService(["work.example"]);
  const folder = await createTemporaryFolder();
  const env = { SITEWARD_CONFIG_DIR: folder.path };
  for (const [name, { baseUrl }] of Object.entries({ work, default: home })) {
    const args = ["login", "--api-key-stdin", "--profile", name, "--base-url", baseUrl];
    await runCli(args, { env, stdin: keys.full });
  }
  return {
    env,
    home: home.baseUrl,
    work: work.baseUrl,
    [Symbol.asyncDispose]: async () => {
      for (const resource of [home, work, folder]) await resource[Symbol.asyncDispose]();
    },
  };
}
