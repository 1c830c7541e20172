import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { type CliAccount, createCliAccount } from "./support/cli-account.ts";
import { startGatedProxy } from "./support/gated-proxy.ts";
import { runInTerminal } from "./support/open-cli-terminal.ts";
import { runBuiltCli } from "./support/run-built-cli.ts";

/** Sets the title, clears the screen, changes the color in two ways, reverses the text and hides what follows. */
const attack = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egnp\u001b[8m";
/** Control characters but those of lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
/** Marks that change the direction of text. In data, they are as the service sent them. */
const direction = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

let server: BuiltServer;
let account: CliAccount;
let folder: string;

beforeAll(async () => {
  server = await startBuiltServer();
  account = await createCliAccount(server);
  await account.siteward.websites.create({
    domain: "example.com",
    exclude_params: ["utm_*"],
    exclude_ips: ["203.0.113.1"],
  });
  await account.siteward.websites.create({ domain: "old.example" });
  folder = mkdtempSync(join(tmpdir(), "siteward-e2e-"));
  writeFileSync(
    join(folder, "siteward.yaml"),
    "version: 1\nwebsites:\n  - new.example\n  - domain: example.com\n    email: true\n",
  );
  const escaped = JSON.stringify(`${attack}.example`);
  writeFileSync(
    join(folder, "hostile.yaml"),
    `version: 1\nwebsites:\n  - ${escaped}\n  - domain: a.example\n    ${JSON.stringify(attack)}: 1\n    exclude_params: [${escaped}]\n`,
  );
  writeFileSync(join(folder, "domains.txt"), `${attack}.example\nb.example/${attack}\n${attack}\n`);
  writeFileSync(join(folder, "websites.csv"), `domain,${attack}\nc.example,${attack}\n`);
  writeFileSync(join(folder, "websites.json"), JSON.stringify([{ domain: attack, [attack]: attack }]));
  writeFileSync(
    join(folder, "matomo.json"),
    JSON.stringify([{ main_url: `https://a.example/${attack}`, name: attack, excluded_ips: attack }]),
  );
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function run(commandLine: string, env: Readonly<Record<string, string>> = {}) {
  return runInTerminal(commandLine.split(" "), { env: { ...account.env, ...env }, columns: 100, folder });
}

/** Command lines with the line of their output that is colored or bold. */
const colored = [
  ["websites list", /^ID +Domain/],
  ["plan --prune", /^\+ new\.example/],
  ["plan --prune", /^- old\.example/],
  ["websites get 99", /^Error:/],
  ["websites update --help", /^Options:/],
  ["apply --help", /^Usage:/],
] as const;

describe("colors", { concurrent: true }, () => {
  test.each(colored)("`siteward %s` has them on a terminal", async (commandLine, line) => {
    const { screen } = await run(commandLine);
    expect(screen.styledLines).toContainEqual(expect.stringMatching(line));
  });

  test.each([
    ["NO_COLOR=1", "", { NO_COLOR: "1" }],
    ["--no-color", " --no-color", {}],
    ["TERM=dumb", "", { TERM: "dumb" }],
  ])("nothing has them with %s", async (_name, flag, env) => {
    for (const commandLine of ["websites list", "websites get 1", "account", "plan --prune", "websites get 99"]) {
      const { raw, text } = await run(`${commandLine}${flag}`, env);
      expect(raw).not.toMatch(control);
      expect(text).not.toBe("");
    }
  });

  test("help has none with NO_COLOR and on a dumb terminal", async () => {
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
      expect((await run("websites update --help", env)).raw).not.toMatch(control);
      expect((await run("plan --help", env)).text).toContain("Usage:");
    }
  });

  test("an empty NO_COLOR does not count", async () => {
    expect((await run("websites list", { NO_COLOR: "" })).screen.styledLines).not.toEqual([]);
  });

  test.each([
    "websites list --output table",
    "websites get 99 --output table",
    "websites list",
    "websites get 1 --output yaml",
    "account --output csv",
    "websites update --help",
  ])("`siteward %s` has none off a terminal", async (commandLine) => {
    const { stdout, stderr } = await runBuiltCli(commandLine.split(" "), account.env);
    expect(stdout + stderr).not.toMatch(control);
    expect(stdout + stderr).not.toBe("");
  });
});

/** Adds the attack to every string of a JSON answer. Times and links stay, since the CLI follows them. */
function spoil(body: string): string {
  if (body === "") return body;
  const kept = new Set(["code", "type", "created_at", "updated_at", "next_cursor", "next", "total_relation"]);
  return JSON.stringify(JSON.parse(body), (name, value) =>
    typeof value === "string" && !kept.has(name) ? `${value}${attack}` : value,
  );
}

describe("control sequences", { concurrent: true }, () => {
  test.each([
    "websites list",
    "websites get 1",
    "websites get 99",
    "account",
    "websites create example.com",
    "websites update 1 --email on",
    "websites delete 2 --yes --if-match 9-9",
    "plan",
    "export",
    "api GET websites/1",
    "api GET account --include",
    "websites list --output csv",
    "websites list --output yaml",
    "websites list --output json",
    "websites list --output ndjson",
    "websites get 1 --output json",
    "--verbose account",
  ])("that the service sends reach no terminal with `siteward %s`", async (commandLine) => {
    await using spoiled = await startGatedProxy(server.url, { rewrite: spoil });
    const { raw, text } = await run(`${commandLine} --no-color`, { SITEWARD_BASE_URL: spoiled.url });
    expect(raw).not.toMatch(control);
    const isData = / export|api |--output/.test(` ${commandLine}`);
    if (!isData) expect(raw).not.toMatch(direction);
    expect(text).not.toBe("");
  });

  test.each([
    "check hostile.yaml",
    "plan hostile.yaml",
    "apply hostile.yaml --yes",
    "import hostile.yaml",
    "import domains.txt",
    "import websites.csv",
    "import websites.json",
    "import matomo.json --from matomo",
    "import websites.json --from plausible",
  ])("of a file reach no terminal with `siteward %s`", async (commandLine) => {
    const { raw, text } = await run(`${commandLine} --no-color`);
    expect(raw).not.toMatch(control);
    expect(raw).not.toMatch(direction);
    expect(text).not.toBe("");
  });
});
