import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { test } from "./support/cli-test.ts";
import { unknownKey } from "./support/serve-fake.ts";

const passwordPrompt = "Password for visitors";
const create = "websites create new.example --privacy password";
const update = "websites update example.com --privacy password";

/** A prompt of each kind, how to reach it, how to cancel it, and the prompts in front of it, with the answers to them. */
const prompts: readonly (readonly [prompt: string, words: string, cancel: string, before?: readonly string[]])[] = [
  ["API key", "login", "\u0003"],
  ["Repeat the password", create, "ab\u0004", [passwordPrompt, "correct horse\r"]],
  ["Delete 2 websites", "websites delete example.com old.example", "\u0003"],
  ["1 new website will be public", "import siteward.yaml", "\u0004"],
  ["Type 2 to apply the plan.", "apply --prune", "2\u0004"],
];

const siteFile = "version: 1\nwebsites:\n  - new.example\n  - domain: example.com\n    email: true\n";

test.for(prompts)(
  "the prompt %j of `siteward %s` is canceled by %j: it ends with 130 and one word, and leaves all as it was",
  async ([prompt, words, cancel, [earlier, answer] = [] as readonly string[]], { cli, folder }) => {
    await cli.add("example.com", "old.example", "older.example");
    await folder.write("siteward.yaml", siteFile);
    const env = {
      SITEWARD_CONFIG_DIR: join(folder.path, "config"),
      ...(words === "login" && { SITEWARD_API_KEY: "" }),
    };
    using terminal = cli.open(words, { env, columns: cancel === "\u0003" ? 80 : 40, folder: folder.path });
    if (earlier !== undefined && answer !== undefined) {
      await terminal.waitFor(earlier);
      terminal.type(answer);
    }
    await terminal.waitFor(prompt);
    terminal.type(cancel);
    const transcript = await terminal.finish();
    expect(transcript.exitCode).toBe(130);
    expect(transcript.screen.lines.at(-1)).toBe("Canceled.");
    expect(transcript.text).not.toMatch(/Warning|Error|\n +at /);
    expect(transcript.leftovers).toEqual([]);
    expect(cli.writes().filter((write) => write.startsWith("POST") || write.startsWith("DELETE"))).toEqual([]);
    expect(cli.fake.websites).toMatchObject(Array(3).fill({ privacy: 0, email: 0 }));
    expect(await readdir(folder.path), "nothing is stored").toEqual(["siteward.yaml"]);
  },
);

describe("a login", () => {
  test("says where the key goes, what it replaces and who creates keys", async ({ cli, folder }) => {
    const env = { SITEWARD_API_KEY: "", SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: `${cli.url}/api/v1` };
    using first = cli.open("login", { env });
    await first.waitFor("API key");
    expect(first.screen()).toContain(`Logging in to ${cli.url}, as profile "default".\n`);
    expect(first.screen()).toContain("siteward-server keys create");
    expect(first.screen()).not.toContain("replaces");
    first.type(`Bearer ${cli.fake.apiKey}\r`);
    expect(await first.exitCode).toBe(0);
    expect(first.raw(), "what follows its prefix").not.toContain(cli.fake.apiKey.slice(12));
    expect(first.screen()).toContain("Logged in.");
    expect(await folder.read("profiles.json")).toContain(cli.fake.apiKey);
    using again = cli.open("login", { env });
    await again.waitFor("API key");
    expect(again.screen()).toContain(`This replaces the stored key of the profile, which is for ${cli.url}.\n`);
    using other = cli.open("login", { env: { ...env, SITEWARD_BASE_URL: "", SITEWARD_PROFILE: "other" } });
    await other.waitFor("API key");
    expect(other.screen().replaceAll("\n", " ")).toContain("For another service, pass --base-url.");
  });

  test("asks again after a mistyped key, and stores none that is refused", async ({ cli, folder }) => {
    using terminal = cli.open("login", { env: { SITEWARD_API_KEY: "", SITEWARD_CONFIG_DIR: folder.path } });
    await terminal.waitFor("API key");
    terminal.type(`${cli.fake.apiKey.slice(0, -1)}\r`);
    await terminal.waitFor("mistyped or incomplete");
    expect(cli.fake.requests).toEqual([]);
    terminal.type(`${unknownKey}\r`);
    expect(await terminal.exitCode).toBe(4);
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe("a password", () => {
  test("is prompted for twice, hidden, and has 8 to 256 characters, as the prompt says", async ({ cli }) => {
    using terminal = cli.open(create);
    await terminal.waitFor("Password for visitors (8 to 256 characters)");
    terminal.type("short\r");
    await terminal.waitFor("Enter 8 to 256 characters.");
    terminal.type("8 cha.rs\r");
    await terminal.waitFor("Repeat the password");
    terminal.type("8 cha.rs\r");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.raw()).not.toMatch(/short|cha\.rs/);
    const body = { domain: "new.example", privacy: 2, password: "8 cha.rs" };
    expect(cli.fake.requests.map((request) => request.body)).toEqual([body]);
  });

  test("is prompted for on an update only after the service requires it", async ({ cli }) => {
    await cli.add("example.com");
    using terminal = cli.open(update);
    await terminal.waitFor(passwordPrompt);
    expect(cli.writes()).toHaveLength(1);
    terminal.type("correct horse\r");
    await terminal.waitFor("Repeat the password");
    terminal.type("correct horse\r");
    expect(await terminal.exitCode).toBe(0);
    expect(cli.fake.websites).toMatchObject([{ privacy: 2, has_password: true }]);
  });
});

describe("a delete", () => {
  test.for([
    ["", "Delete 2 websites: bücher.example (xn--bcher-kva.example, ID 1), xn--pple-43d.com (ID 2)?"],
    ["--ascii", "Delete 2 websites: xn--bcher-kva.example (ID 1), xn--pple-43d.com (ID 2)?"],
  ] as const)(
    "asks %s for a domain in Unicode, unless it could be mistaken for another domain; Enter is no",
    async ([flags, prompt], { cli }) => {
      await cli.add("xn--bcher-kva.example", "xn--pple-43d.com");
      using terminal = cli.open(`websites delete 1 2 ${flags}`, { columns: 400 });
      await terminal.waitFor(prompt);
      terminal.type("\r");
      expect(await terminal.exitCode).toBe(0);
      expect(terminal.screen()).toContain("Nothing was deleted.");
      expect(cli.fake.websites).toHaveLength(2);
    },
  );

  test("shows at most ten domains before it prompts, and deletes them after y", async ({ cli }) => {
    const ids = Array.from({ length: 12 }, (_, index) => index + 1);
    await cli.add(...ids.map((id) => `site-${id}.example`));
    using terminal = cli.open(`websites delete missing.example ${ids.join(" ")} --ignore-missing`, { columns: 400 });
    await terminal.waitFor("Does not exist: missing.example.");
    await terminal.waitFor("Delete 12 websites: site-1.example (ID 1), site-2.example (ID 2), ");
    await terminal.waitFor("site-10.example (ID 10), … and 2 more? This cannot be undone.");
    terminal.type("y");
    expect(await terminal.exitCode).toBe(0);
    expect(cli.fake.websites).toEqual([]);
  });
});

test.for([
  ["y", "- a.example\n", "Exported 1 website to siteward.yaml."],
  ["n", siteFile, "Nothing was written."],
] as const)("an export over a file that was edited asks: %s", async ([answer, content, said], { cli, folder }) => {
  await cli.add("a.example");
  await folder.write("siteward.yaml", siteFile);
  using terminal = cli.open("export siteward.yaml", { folder: folder.path });
  await terminal.waitFor("Replace siteward.yaml? It was edited, or it is not an export.");
  terminal.type(answer);
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.screen()).toContain(said);
  expect(await folder.read("siteward.yaml")).toContain(content);
});

describe("an apply", () => {
  test.for([
    ["y", 1, "1 created."],
    ["\r", 0, "Nothing was changed."],
  ] as const)("shows the plan, asks, and applies it only after y: %j", async ([key, count, said], { cli, folder }) => {
    await folder.write("siteward.yaml", "version: 1\nwebsites: [a.example]");
    using terminal = cli.open("apply", { folder: folder.path });
    await terminal.waitFor("Apply these changes?");
    expect(terminal.screen()).toContain("+ a.example\n");
    expect(cli.fake.websites).toEqual([]);
    terminal.type(key);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()).toContain(said);
    expect(cli.fake.websites).toHaveLength(count);
  });

  test("asks for the number of websites to delete", async ({ cli, folder }) => {
    await cli.add("y.example", "z.example");
    await folder.write("siteward.yaml", "version: 1\nwebsites: [a.example]");
    using terminal = cli.open("apply --prune", { folder: folder.path });
    await terminal.waitFor("This deletes 2 websites, which cannot be undone. Type 2 to apply the plan.");
    terminal.type("y\r");
    await terminal.waitFor("Type 2, or press Ctrl-C to cancel.");
    expect(cli.writes()).toEqual([]);
    terminal.type("\u007f2\r");
    expect(await terminal.exitCode).toBe(0);
    expect(cli.fake.websites.map(({ domain }) => domain)).toEqual(["a.example"]);
  });
});
