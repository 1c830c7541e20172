import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { type CliAccount, createCliAccount } from "./support/cli-account.ts";
import { openCliTerminal } from "./support/open-cli-terminal.ts";
import { unfittingLines } from "./support/screen-faults.ts";

/** A prompt, and how to reach it. */
interface Prompt {
  readonly commandLine: string;
  /** The prompts in front of it, with the answers to them. */
  readonly before?: readonly (readonly [prompt: string, keys: string])[];
  readonly prompt: string;
  /** The calls in the sources that lead to the prompt: the file and the function that it calls. */
  readonly calls: readonly string[];
}

const passwordCall = "input/prompt-for-password.ts promptForSecret";
const passwordPrompt = "Password for visitors";
const repeated = { before: [[passwordPrompt, "correct horse\r"]], prompt: "Repeat the password" } as const;
const create = "websites create new.example --privacy password";
const update = "websites update example.com --privacy password";

/** Every prompt of the CLI. */
const prompts: Readonly<Record<string, Prompt>> = {
  "the API key": { commandLine: "login", prompt: "API key", calls: ["login/ask-for-api-key.ts promptForSecret"] },
  "the password of a new website": {
    commandLine: create,
    prompt: passwordPrompt,
    calls: [passwordCall, "commands/websites-create.ts promptForPassword"],
  },
  "the repeated password of a new website": { commandLine: create, ...repeated, calls: [passwordCall] },
  "the password of a website that exists": {
    commandLine: update,
    prompt: passwordPrompt,
    calls: ["commands/websites-update.ts promptForPassword"],
  },
  "the repeated password of a website that exists": { commandLine: update, ...repeated, calls: [] },
  "the confirmation of deletes": {
    commandLine: "websites delete example.com old.example",
    prompt: "Delete 2 websites",
    calls: ["commands/websites-delete.ts promptForConfirmation"],
  },
  "the confirmation of an export over a file that was edited": {
    commandLine: "export siteward.yaml",
    prompt: "Replace it?",
    calls: ["commands/export.ts promptForConfirmation"],
  },
  "the confirmation of a plan": {
    commandLine: "apply",
    prompt: "Apply these changes?",
    calls: ["sync/consent.ts promptForConfirmation", "commands/apply.ts promptForConsent"],
  },
  "the number of deletes of a plan": {
    commandLine: "apply --prune",
    prompt: "Type 2 to apply the plan.",
    calls: ["sync/consent.ts promptForText"],
  },
};

let server: BuiltServer;
let account: CliAccount;
let folder: string;

beforeAll(async () => {
  server = await startBuiltServer();
  account = await createCliAccount(server);
  for (const domain of ["example.com", "old.example", "older.example"])
    await account.siteward.websites.create({ domain });
  folder = mkdtempSync(join(tmpdir(), "siteward-e2e-"));
  writeFileSync(
    join(folder, "siteward.yaml"),
    "version: 1\nwebsites:\n  - new.example\n  - domain: example.com\n    email: true\n",
  );
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test("the table has every prompt of the sources", () => {
  const tried = Object.values(prompts).flatMap(({ calls }) => calls);
  expect(tried.toSorted()).toEqual(findCalls().toSorted());
});

const keys = { "Ctrl-C": "\u0003", "Ctrl-D": "\u0004" } as const;
const cases = Object.entries(prompts).flatMap(([name, prompt]) =>
  Object.entries(keys).flatMap(([keyName, key]) => [
    { name: `${keyName} at the prompt for ${name}`, prompt, typed: key, columns: 80 },
    {
      name: `${keyName} at the prompt for ${name}, after some of the answer, at 40 columns`,
      prompt,
      typed: `ab${key}`,
      columns: 40,
    },
  ]),
);

describe("ends with 130 and one word, changes nothing and leaves the terminal as it was", { concurrent: true }, () => {
  test.each(cases)("$name", async ({ prompt: { commandLine, before = [], prompt }, typed, columns }) => {
    const websites = await account.list();
    const config = mkdtempSync(join(folder, "config-"));
    const { SITEWARD_BASE_URL } = account.env;
    const env = commandLine === "login" ? { SITEWARD_BASE_URL } : account.env;
    using terminal = openCliTerminal(commandLine.split(" "), {
      env: { ...env, SITEWARD_CONFIG_DIR: config },
      columns,
      folder,
    });
    for (const [earlier, answer] of before) {
      await terminal.waitFor(earlier);
      terminal.type(answer);
    }
    await terminal.waitFor(prompt);
    terminal.type(typed);
    const transcript = await terminal.finish();
    expect(transcript.exitCode).toBe(130);
    expect(transcript.screen.lines.at(-1)).toBe("Canceled.");
    expect(transcript.text).not.toMatch(/Warning|Error|\n +at /);
    expect(transcript.leftovers).toEqual([]);
    expect(unfittingLines(transcript)).toEqual([]);
    expect(await account.list(), "nothing is changed").toEqual(websites);
    expect(readdirSync(config), "nothing is stored").toEqual([]);
  });
});

/** Returns each call of a function that prompts: `<file> <function>`. All of them are named for it. */
function findCalls(): readonly string[] {
  const sources = fileURLToPath(new URL("../../../apps/cli/src/", import.meta.url));
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) => {
      const text = readFileSync(join(sources, file), "utf8");
      if (file === "input/prompts.ts") return [];
      expect(text, `only input/prompts.ts prompts, so ${file} does not`).not.toMatch(
        /"(@clack\/prompts|node:readline.*)"/,
      );
      return [...text.matchAll(/(?<!function )\b(promptFor\w+)\(/g)].map(([, name]) => `${file} ${name}`);
    });
}
