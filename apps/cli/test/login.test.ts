import { chmod, mkdir, readdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { test as base } from "./support/cli-test.ts";
import { type CommandLine, errorOf, jsonOf, type RunResult, runCli, warningsOf } from "./support/run-cli.ts";
import { serveFake, unknownKey } from "./support/serve-fake.ts";

/** The CLI with a configuration folder, without settings in its environment. */
interface Machine {
  readonly env: Readonly<Record<"SITEWARD_CONFIG_DIR", string>>;
  readonly run: (commandLine: CommandLine, env?: Readonly<Record<string, string>>) => Promise<RunResult>;
  /** Logs in to the service of the test, or to another one. */
  readonly login: (flags?: string, stdin?: string) => Promise<RunResult>;
}

const test = base.extend<{ readonly machine: Machine }>({
  machine: async ({ cli, folder }, use) => {
    const env = { SITEWARD_CONFIG_DIR: folder.path };
    const login = (flags = "", stdin = cli.fake.apiKey) =>
      runCli(`login --api-key-stdin --base-url ${cli.url}/ ${flags}`, { env, stdin });
    await use({ env, login, run: (commandLine, more) => runCli(commandLine, { env: { ...env, ...more } }) });
  },
});

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

describe("siteward login", () => {
  test("verifies the key, and stores it where only its owner can read it", async ({ cli, folder }) => {
    const env = { SITEWARD_CONFIG_DIR: join(folder.path, "new", "place") };
    const stdin = `${cli.fake.apiKey}\n`;
    const login = await runCli(`login --api-key-stdin --base-url ${cli.url}/`, { env, stdin });
    expect(login).toMatchObject({ exitCode: 0, stderr: "" });
    expect(jsonOf(login)).toMatchObject({ profile: "default", base_url: cli.url, account: { name: "Test account" } });
    expect(login.stdout).not.toContain(cli.fake.apiKey);
    expect(await modeOf(env.SITEWARD_CONFIG_DIR)).toBe("700");
    expect(await modeOf(join(env.SITEWARD_CONFIG_DIR, "profiles.json"))).toBe("600");
    expect(await readdir(env.SITEWARD_CONFIG_DIR), "no temporary file is left").toEqual(["profiles.json"]);
    expect(await runCli("account", { env })).toMatchObject({ exitCode: 0 });
    expect(cli.fake.requests.at(-1)?.headers["user-agent"]).toMatch(/^siteward-cli\/\S+ siteward-sdk\//);
  });

  test("stores no key that is mistyped, which is not sent, or refused", async ({ cli, machine, folder }) => {
    const key = cli.fake.apiKey.slice(0, -1);
    const mistyped = await machine.login("", key);
    expect(mistyped.exitCode).toBe(4);
    expect(errorOf(mistyped).code).toBe("api_key_mistyped");
    expect(mistyped.stderr).not.toContain(key);
    expect(cli.fake.requests).toEqual([]);
    const refused = await machine.login("", unknownKey);
    expect(refused.exitCode).toBe(4);
    expect(errorOf(refused).next).toBe(
      `The API key comes from --api-key-stdin and was sent to ${cli.url}. The operator of the service creates keys.`,
    );
    expect(await readdir(folder.path)).toEqual([]);
  });

  test("accepts a key without the scope for the account", async ({ cli, machine }) => {
    const run = await machine.login("", cli.fake.createApiKey({ scopes: ["websites:read"] }));
    expect(run.exitCode).toBe(0);
    expect(jsonOf(run).account).toBeNull();
  });

  test.for([
    ["--no-input", "login --no-input", {}],
    ["CI", "login", { CI: "true" }],
    ["a dumb terminal", "login", { TERM: "dumb" }],
    ["a terminal that would show the key", "login --api-key-stdin", {}],
  ] as const)("does not prompt with %s", async ([_name, words, env], { cli }) => {
    const { exitCode, text } = await cli.show(words, { env });
    expect(exitCode).toBe(2);
    expect(text).toContain("--api-key-stdin");
  });

  test("keeps a profile file that is a link, and the current profile", async ({ cli, machine, folder }) => {
    await mkdir(join(folder.path, "elsewhere"));
    const target = await folder.write("elsewhere/kept.json", '{"profiles":{}}');
    await symlink(target, join(folder.path, "profiles.json"));
    await machine.login();
    expect(await folder.read("elsewhere/kept.json")).toContain(cli.fake.apiKey);
    await machine.login("--profile work");
    await machine.run("profiles use work");
    await machine.login("--profile other");
    const list = await machine.run("profiles list --fields name,current");
    expect(jsonOf(list)).toContainEqual({ name: "work", current: true });
  });
});

test("siteward logout removes only that profile, and succeeds if it does not exist", async ({ machine }) => {
  for (const profile of ["default", "work"]) await machine.login(`--profile ${profile}`);
  for (const removed of [true, false]) {
    const run = await machine.run("logout --profile work");
    expect(run.exitCode).toBe(0);
    expect(jsonOf(run)).toEqual({ profile: "work", removed });
  }
  expect(await machine.run("account")).toMatchObject({ exitCode: 0 });
  expect((await machine.run("account --profile work")).exitCode).toBe(4);
});

describe("precedence", () => {
  const get = "websites get 1 --fields domain";

  test("a flag overrides the environment, which overrides the profile", async ({ cli, machine, folder }) => {
    await using ofEnvironment = await serveFake({ websites: [{ domain: "environment.example" }] });
    await using ofFlag = await serveFake({ websites: [{ domain: "flag.example" }] });
    await cli.add("profile.example");
    const keyFile = await folder.write("key.txt", `${ofFlag.fake.apiKey}\n`);
    await machine.login();
    expect(jsonOf(await machine.run(get)).domain).toBe("profile.example");

    const overridden = { SITEWARD_BASE_URL: ofEnvironment.url, SITEWARD_API_KEY: unknownKey };
    expect((await machine.run(get, overridden)).exitCode, "the key of the environment is used").toBe(4);
    expect(ofEnvironment.fake.requests, "the URL of the environment is used").toHaveLength(1);

    const fromFlags = await machine.run(`${get} --base-url ${ofFlag.url} --api-key-file ${keyFile}`, overridden);
    expect(jsonOf(fromFlags).domain).toBe("flag.example");
  });

  test("a stored key is sent to another URL only if that is typed, not from the environment", async ({ machine }) => {
    await using stranger = await serveFake();
    await machine.login();
    const led = { SITEWARD_BASE_URL: stranger.url };
    const run = await machine.run("account", led);
    expect(run.exitCode).toBe(2);
    expect(errorOf(run).message).toContain("SITEWARD_BASE_URL");
    expect(stranger.fake.requests).toEqual([]);
    await machine.run(`account --base-url ${stranger.url}`, led);
    expect(stranger.fake.requests).toHaveLength(1);
  });

  test("--profile overrides SITEWARD_PROFILE, and an empty variable counts as not set", async ({ machine }) => {
    await machine.login("--profile work");
    expect((await machine.run("account", { SITEWARD_PROFILE: "work" })).exitCode).toBe(0);
    expect((await machine.run("account", { SITEWARD_PROFILE: "" })).exitCode).toBe(4);
    const named = { SITEWARD_PROFILE: "gone" };
    expect((await machine.run("account --profile work", named)).exitCode).toBe(0);
    const gone = await machine.run("account", named);
    expect(gone.exitCode).toBe(4);
    expect(errorOf(gone).message).toMatch(/Profile "gone" does not exist\. Existing profiles: work\./);
  });
});

describe("the profile file", () => {
  test("warns if other users can read it, until the next login", async ({ cli, machine, folder }) => {
    const path = join(folder.path, "profiles.json");
    await machine.login();
    await chmod(path, 0o644);
    const run = await machine.run("account");
    expect(run.exitCode).toBe(0);
    expect(warningsOf(run)).toEqual([expect.stringContaining(`chmod 600 ${path}`)]);
    expect((await machine.run("account", cli.env)).stderr).toBe("");
    await machine.login();
    expect(await modeOf(path)).toBe("600");
  });

  test("is refused by its path if it is broken, and is not overwritten", async ({ machine, folder }) => {
    const path = await folder.write("profiles.json", "{");
    const login = await machine.login();
    expect(login.exitCode).toBe(2);
    expect(errorOf(login).message).toContain(path);
    expect(await folder.read("profiles.json")).toBe("{");
    await mkdir(join(folder.path, "other", "profiles.json"), { recursive: true });
    const run = await machine.run("account", { SITEWARD_CONFIG_DIR: join(folder.path, "other") });
    expect(run.exitCode).toBe(2);
    expect(errorOf(run).code).toBe("settings_unusable");
  });

  test("does not matter if key and URL come from elsewhere, and it cannot be read", async ({ cli, folder }) => {
    await folder.write("profiles.json", "{");
    await mkdir(join(folder.path, "other", "profiles.json"), { recursive: true });
    const file = await folder.write("key", cli.env["SITEWARD_API_KEY"] ?? "");
    for (const directory of [folder.path, join(folder.path, "other")]) {
      const env = { SITEWARD_CONFIG_DIR: directory };
      expect(await cli.run("account", { env })).toMatchObject({ exitCode: 0, stderr: "" });
      const words = `account --api-key-file ${file} --base-url ${cli.url}`;
      const flags = { ...env, SITEWARD_API_KEY: "", SITEWARD_BASE_URL: "" };
      expect(await cli.run(words, { env: flags })).toMatchObject({ exitCode: 0, stderr: "" });
      expect((await cli.run("account", { env: { ...env, SITEWARD_BASE_URL: "" } })).exitCode).toBe(2);
    }
  });
});

describe("a key that is refused", () => {
  /** Returns the advice of the error. */
  function adviceOf(run: RunResult): string {
    expect(run.exitCode).toBe(4);
    expect(run.stderr).not.toContain(unknownKey);
    return errorOf(run).next;
  }

  test("gets an error that says where it comes from and was sent", async ({ cli, machine, folder }) => {
    const file = await folder.write("key.txt", unknownKey);
    const profiles = { work: { api_key: unknownKey, base_url: cli.url } };
    const path = await folder.write("profiles.json", JSON.stringify({ profiles }));
    for (const [words, origin, remedy, env] of [
      [`--api-key-file ${file}`, `--api-key-file ${file}`, "Pass a valid key."],
      ["--api-key-stdin", "--api-key-stdin", "Pass a valid key."],
      ["", "SITEWARD_API_KEY", "Set SITEWARD_API_KEY to a valid key", { SITEWARD_API_KEY: unknownKey }],
      ["--profile work", `profile "work" in ${path}`, "Log in again with `siteward login --profile work`."],
    ] as const) {
      const settings = { ...machine.env, ...(words !== "--profile work" && { SITEWARD_BASE_URL: cli.url }), ...env };
      const advice = adviceOf(await runCli(`account ${words}`, { env: settings, stdin: unknownKey }));
      expect(advice).toContain(`The API key comes from ${origin} and was sent to ${cli.url}. ${remedy}`);
    }
  });

  test("so does one without the scope, and one that is mistyped, which is not sent", async ({ cli }) => {
    const reader = { SITEWARD_API_KEY: cli.fake.createApiKey({ scopes: ["websites:read"] }) };
    const scope = await cli.run("account", { env: reader });
    expect(errorOf(scope).code).toBe("insufficient_scope");
    expect(adviceOf(scope)).toMatch(/^The API key comes from SITEWARD_API_KEY and .* has this scope\.$/);
    const before = cli.fake.requests.length;
    const mistyped = await cli.run("account", { env: { SITEWARD_API_KEY: `${cli.fake.apiKey}x` } });
    expect(adviceOf(mistyped)).toMatch(/^The API key comes from SITEWARD_API_KEY\. Copy the entire key/);
    expect(cli.fake.requests).toHaveLength(before);
  });
});

describe("siteward profiles", () => {
  /** A folder with a profile for each of two services. */
  const withProfiles = test.extend<{ readonly work: Awaited<ReturnType<typeof serveFake>> }>({
    work: [
      async ({ cli, machine }, use) => {
        await using work = await serveFake({ websites: [{ domain: "work.example" }] });
        await cli.add("home.example");
        await machine.login();
        await machine.login(`--profile work --base-url ${work.url}`, work.fake.apiKey);
        await use(work);
      },
      { auto: true },
    ],
  });

  withProfiles(
    "list shows every profile without its key, and which one commands use",
    async ({ cli, machine, work }) => {
      const run = await machine.run("profiles list");
      expect(jsonOf(run)).toEqual([
        { name: "default", current: true, base_url: cli.url, key_store: "file" },
        { name: "work", current: false, base_url: work.url, key_store: "file" },
      ]);
      expect(run.stdout).not.toContain("swk_");
    },
  );

  withProfiles(
    "use chooses the profile of later commands; --profile and SITEWARD_PROFILE still override it",
    async ({ machine, work }) => {
      const use = await machine.run("profiles use work");
      expect(jsonOf(use)).toEqual({ name: "work", current: true, base_url: work.url, key_store: "file" });
      const get = "websites get 1 --fields domain";
      expect(jsonOf(await machine.run(get)).domain).toBe("work.example");
      expect(jsonOf(await machine.run(`${get} --profile default`)).domain).toBe("home.example");
      const variable = { SITEWARD_PROFILE: "default" };
      expect(jsonOf(await machine.run(get, variable)).domain).toBe("home.example");
      const overridden = await machine.run("profiles use work", variable);
      expect(warningsOf(overridden)).toEqual([expect.stringContaining("SITEWARD_PROFILE")]);
    },
  );

  withProfiles("remove removes one profile, and none is current if it was", async ({ machine }) => {
    await machine.run("profiles use work");
    expect(jsonOf(await machine.run("profiles remove work"))).toEqual({ profile: "work", removed: true });
    const list = await machine.run("profiles list --fields name,current");
    expect(jsonOf(list)).toEqual([{ name: "default", current: true }]);
  });

  withProfiles.for([
    ["use", "Log in with `siteward login --profile gone`."],
    ["remove", "List the profiles with `siteward profiles list`."],
  ] as const)(
    "%s of an unknown profile is not found, names those that exist, and says: %s",
    async ([verb, next], { machine }) => {
      const run = await machine.run(`profiles ${verb} gone`);
      expect(run).toMatchObject({ exitCode: 3, stdout: "" });
      const message = expect.stringMatching(/^Profile "gone" does not exist\. Existing profiles: default, work\./);
      expect(errorOf(run)).toEqual({ code: "not_found", message, next });
    },
  );

  withProfiles("without a choice and a default profile, the error says how to choose one", async ({ machine }) => {
    await machine.run("logout");
    const run = await machine.run("account");
    expect(run.exitCode).toBe(4);
    expect(errorOf(run).message).toContain(
      "Existing profiles: work. Choose one with --profile or `siteward profiles use`",
    );
  });
});
