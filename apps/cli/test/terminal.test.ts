import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type FakeService, keys, startFakeService } from "./support/fake-service.ts";
import { openTerminal } from "./support/open-terminal.ts";
import { binPath } from "./support/run-cli.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

function settings(service: FakeService): Record<string, string> {
  return { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: service.baseUrl };
}

describe("table", () => {
  test("is the default on a terminal, no wider than the terminal", async () => {
    const domains = Array.from({ length: 12 }, (_, index) => `${"long-".repeat(index + 2)}name.example`);
    await using service = await startFakeService(domains);
    using terminal = openTerminal(["websites", "list"], { env: settings(service), columns: 60 });
    expect(await terminal.exitCode).toBe(0);
    const lines = terminal.screen().split("\n");
    expect(lines[0]).toMatch(/^ID\s+Domain$/);
    expect(lines.slice(0, 11).filter((line) => line.length > 60)).toEqual([]);
    expect(terminal.screen()).toContain("…");
    expect(terminal.screen()).toContain("10 of 12 websites.\n");
    expect(terminal.raw(), "the header is bold").toContain("\u001b[1mID");
  });

  test.each([
    [
      40,
      "ID             1\nDomain         bücher.example\n               (xn--bcher-kva.example)\n" +
        "Privacy        public\n",
    ],
    [60, "ID  Domain          Privacy  E-mail  Created (UTC)\n1   bücher.example  public   off     2026-11-20 10:00\n"],
    [
      70,
      "ID  Domain          Privacy  E-mail  Bots excluded  Created (UTC)\n" +
        "1   bücher.example  public   off     on             2026-11-20 10:00\n",
    ],
    [
      80,
      "ID  Domain          Privacy  E-mail  Bots excluded  Created\n" +
        "1   bücher.example  public   off     on             2026-11-20T10:00:00.000Z\n",
    ],
  ])("at %i columns shows what fits, with domains in Unicode", async (columns, text) => {
    await using service = await startFakeService(["xn--bcher-kva.example"]);
    using terminal = openTerminal(["websites", "list"], { env: { ...settings(service), NO_COLOR: "1" }, columns });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen().startsWith(text), terminal.screen()).toBe(true);
  });

  test("shows domains in ASCII if that is requested", async () => {
    await using service = await startFakeService(["xn--bcher-kva.example"]);
    using terminal = openTerminal(["websites", "list", "--ascii"], { env: settings(service) });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()).toContain("1   xn--bcher-kva.example  public");
  });

  test.each([
    ["NO_COLOR", [], { NO_COLOR: "1" }],
    ["--no-color", ["--no-color"], {}],
    ["a dumb terminal", [], { TERM: "dumb" }],
  ])("has no color with %s", async (_name, flags, env) => {
    await using service = await startFakeService(["example.com"]);
    using terminal = openTerminal(["websites", "list", ...flags], { env: { ...settings(service), ...env } });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.raw()).not.toContain("\u001b[");
  });

  test("contains no control sequence that the service sends", async () => {
    await using service = await startFakeService(["evil\u001b]0;owned\u0007\u001b[2J\u202egnp.example"]);
    using terminal = openTerminal(["websites", "list", "--no-color"], { env: settings(service) });
    await terminal.exitCode;
    expect(terminal.raw()).toContain("evilgnp.example");
    for (const trick of ["\u001b", "\u202e", "owned"]) expect(terminal.raw()).not.toContain(trick);
  });

  test("shows one website as one line per field", async () => {
    await using service = await startFakeService(["example.com"]);
    using terminal = openTerminal(["websites", "get", "1"], { env: settings(service) });
    await terminal.exitCode;
    expect(terminal.screen()).toMatch(/^Domain +example\.com$/m);
    expect(terminal.screen()).toMatch(/^Bots excluded +on$/m);
  });

  test("says if a repeated create had created the website before", async () => {
    await using service = await startFakeService();
    const args = ["websites", "create", "example.com", "--idempotency-key", "import-42"];
    using first = openTerminal(args, { env: settings(service) });
    expect(await first.exitCode).toBe(0);
    expect(first.screen()).toContain("\nCreated example.com (ID 1).");
    using second = openTerminal(args, { env: settings(service) });
    expect(await second.exitCode).toBe(0);
    expect(second.screen()).toContain("\nAlready created example.com (ID 1).");
  });

  test("prints errors as text to a person whose result goes to a program", async () => {
    const pipe = `require("node:child_process").spawnSync(process.execPath, process.argv.slice(1), { stdio: [0, "ignore", 2] })`;
    using terminal = openTerminal([pipe, binPath, "account"], { program: "--eval" });
    await terminal.exitCode;
    expect(terminal.screen()).toContain("Error: No API key was found.\nLog in with");
  });

  test("prints errors as text with what to do next", async () => {
    await using service = await startFakeService(["example.com"]);
    using terminal = openTerminal(["websites", "create", "example.com"], { env: settings(service) });
    expect(await terminal.exitCode).toBe(5);
    expect(terminal.screen()).toContain("Error: example.com is website 1 already.");
    expect(terminal.screen()).toContain("siteward websites update 1");
  });
});

describe("login", () => {
  test("prompts for the key without showing it", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const env = { SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: service.baseUrl };
    using terminal = openTerminal(["login"], { env });
    await terminal.waitFor("API key");
    terminal.type(`${keys.full}\r`);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.raw()).not.toContain(keys.full.slice(0, 12));
    expect(terminal.screen()).toContain("Logged in.");
    expect(await readFile(join(folder.path, "profiles.json"), "utf8")).toContain(keys.full);
  });

  test("says where the key goes, what it replaces and who creates keys", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const env = { SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: `${service.baseUrl}/api/v1` };
    using first = openTerminal(["login"], { env });
    await first.waitFor("API key");
    expect(first.screen()).toContain(`Logging in to ${service.baseUrl}, as profile "default".\n`);
    expect(first.screen()).toContain("siteward-server keys create");
    expect(first.screen()).not.toContain("replaces");
    first.type(`Bearer ${keys.full}\r`);
    expect(await first.exitCode).toBe(0);
    using again = openTerminal(["login"], { env });
    await again.waitFor("API key");
    expect(again.screen()).toContain(`This replaces the stored key of the profile, which is for ${service.baseUrl}.\n`);
  });

  test("asks again after a mistyped key, without a request, and after a key that the service does not accept", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const env = { SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: service.baseUrl };
    using terminal = openTerminal(["login"], { env });
    await terminal.waitFor("API key");
    terminal.type(`${keys.full.slice(0, -1)}\r`);
    await terminal.waitFor("mistyped or incomplete");
    expect(service.requests).toEqual([]);
    terminal.type(`${keys.revoked}\r`);
    await terminal.waitFor("does not accept this key");
    await terminal.waitFor("attempt 2 of 3");
    terminal.type(`${keys.full}\r`);
    expect(await terminal.exitCode).toBe(0);
    expect(await readFile(join(folder.path, "profiles.json"), "utf8")).toContain(keys.full);
  });

  test("gives up after three keys that the service does not accept", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const env = { SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: service.baseUrl };
    using terminal = openTerminal(["login"], { env });
    for (const prompt of ["API key", "API key (attempt 2 of 3)", "API key (attempt 3 of 3)"]) {
      await terminal.waitFor(prompt);
      terminal.type(`${keys.revoked}\r`);
    }
    expect(await terminal.exitCode).toBe(4);
    expect(await readdir(folder.path)).toEqual([]);
  });

  test.each([
    ["--no-input", ["--no-input"], {}],
    ["CI", [], { CI: "true" }],
    ["a dumb terminal", [], { TERM: "dumb" }],
  ])("does not prompt with %s", async (_name, flags, env) => {
    using terminal = openTerminal(["login", ...flags], { env });
    expect(await terminal.exitCode).toBe(2);
    expect(terminal.screen()).toContain("--api-key-stdin");
  });

  test("refuses to read the key from a terminal that would show it", async () => {
    using terminal = openTerminal(["login", "--api-key-stdin"]);
    expect(await terminal.exitCode).toBe(2);
  });
});

describe("delete", () => {
  test("shows the domain, and deletes the website after confirmation", async () => {
    await using service = await startFakeService(["example.com"]);
    using terminal = openTerminal(["websites", "delete", "1"], { env: settings(service) });
    await terminal.waitFor("Delete example.com (ID 1)?");
    expect(service.websites.size).toBe(1);
    terminal.type("y");
    expect(await terminal.exitCode).toBe(0);
    expect(service.websites.size).toBe(0);
  });

  test.each([
    ["xn--bcher-kva.example", "Delete bücher.example (xn--bcher-kva.example, ID 1)?"],
    ["xn--pple-43d.com", "Delete xn--pple-43d.com (ID 1)?"],
  ])("asks for %s in Unicode, unless it could be mistaken for another domain", async (domain, prompt) => {
    await using service = await startFakeService([domain]);
    using terminal = openTerminal(["websites", "delete", "1"], { env: settings(service) });
    await terminal.waitFor(prompt);
    terminal.type("\r");
    expect(await terminal.exitCode).toBe(0);
  });

  test("deletes nothing if Enter is pressed at the prompt", async () => {
    await using service = await startFakeService(["example.com"]);
    using terminal = openTerminal(["websites", "delete", "1"], { env: settings(service) });
    await terminal.waitFor("Delete example.com");
    terminal.type("\r");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()).toContain("Nothing was deleted.");
    expect(service.websites.size).toBe(1);
  });
});

describe("password", () => {
  test("is prompted for twice, hidden, if privacy requires one", async () => {
    await using service = await startFakeService();
    const args = ["websites", "create", "example.com", "--privacy", "password"];
    using terminal = openTerminal(args, { env: settings(service) });
    await terminal.waitFor("Password for visitors");
    terminal.type("correct horse\r");
    await terminal.waitFor("Repeat the password");
    terminal.type("correct horse\r");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.raw()).not.toContain("correct");
    expect(service.requests[0]?.body).toEqual({ domain: "example.com", privacy: 2, password: "correct horse" });
  });

  test("is checked before it is sent: 8 to 256 characters, as the prompt says", async () => {
    await using service = await startFakeService();
    const args = ["websites", "create", "example.com", "--privacy", "password"];
    using terminal = openTerminal(args, { env: settings(service) });
    await terminal.waitFor("Password for visitors (8 to 256 characters)");
    terminal.type("short\r");
    await terminal.waitFor("Enter 8 to 256 characters.");
    terminal.type("password\r");
    await terminal.waitFor("Repeat the password");
    terminal.type("password\r");
    expect(await terminal.exitCode).toBe(0);
    expect(service.requests.map(({ body }) => body?.password)).toEqual(["password"]);
  });

  test("is prompted for on an update only after the service requires it", async () => {
    await using service = await startFakeService(["example.com"]);
    using terminal = openTerminal(["websites", "update", "1", "--privacy", "2"], { env: settings(service) });
    await terminal.waitFor("Password for visitors");
    terminal.type("correct horse\r");
    await terminal.waitFor("Repeat the password");
    terminal.type("correct horse\r");
    expect(await terminal.exitCode).toBe(0);
    expect(service.websites.get(1)).toMatchObject({ privacy: 2, has_password: true });
  });
});

const cancelKeys = [
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
] as const;

describe.each(cancelKeys)("%s at a prompt ends with 130 and one word", (_name, key) => {
  const login = ["login"];
  const create = ["websites", "create", "new.example", "--privacy", "password"];
  const prompts: readonly (readonly [
    string,
    readonly string[],
    readonly (readonly [prompt: string, typed: string])[],
  ])[] = [
    ["of the API key", login, [["API key", ""]]],
    ["of the API key, after some of it was typed", login, [["API key", "swk_abc"]]],
    ["of a password", create, [["Password for visitors", ""]]],
    [
      "of the repeated password",
      create,
      [
        ["Password for visitors", "correct horse\r"],
        ["Repeat the password", ""],
      ],
    ],
    ["of a confirmation", ["websites", "delete", "1"], [["Delete example.com", ""]]],
  ];

  test.each(prompts)("%s", async (_prompt, args, answers) => {
    await using service = await startFakeService(["example.com"]);
    await using folder = await createTemporaryFolder();
    const env = args === login ? { SITEWARD_BASE_URL: service.baseUrl } : settings(service);
    using terminal = openTerminal(args, { env: { ...env, SITEWARD_CONFIG_DIR: folder.path } });
    for (const [prompt, typed] of answers) {
      await terminal.waitFor(prompt);
      terminal.type(typed);
    }
    terminal.type(key);
    expect(await terminal.exitCode).toBe(130);
    expect(terminal.screen()).toMatch(/\nCanceled\.\n$/);
    expect(terminal.screen()).not.toMatch(/Warning|Error/);
    expect([...service.websites.keys()], "nothing was changed").toEqual([1]);
    expect(await readdir(folder.path), "nothing was stored").toEqual([]);
  });
});

test("Ctrl-C while the CLI waits for the service ends with 130", async () => {
  await using service = await startFakeService(["example.com"]);
  service.answerNext("none");
  using terminal = openTerminal(["websites", "list"], { env: settings(service) });
  while (service.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  terminal.type("\u0003");
  expect(await terminal.exitCode).toBe(130);
});
