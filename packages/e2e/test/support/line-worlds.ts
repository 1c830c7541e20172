import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { Siteward } from "@siteward/sdk";
import { createAccount, operate } from "@siteward/torture/operate";
import { startServer } from "@siteward/torture/target-server";
import { cliBin, serverBin } from "./built-server.ts";
import { repositoryRoot } from "./documented-pages.ts";
import { runBuiltCli } from "./run-built-cli.ts";

/** What a command line finds: an account with these eight websites, or one without any. */
type WorldName = "filled" | "empty";

/** A folder, a database and a key for one command line, so that no line depends on an earlier one. */
export interface World extends Disposable {
  /** The database is in `data`, as that of a server that was started here. */
  readonly folder: string;
  readonly databaseUrl: string;
  readonly apiKey: string;
  /** The prefix of a key, which is not the one of `apiKey`. */
  readonly keyPrefix: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The worlds, of which each command line gets a copy. */
export interface Worlds extends Disposable {
  /** @param hasKey whether the user has a key: in the environment, and in two profiles of the filled world */
  readonly copy: (name: WorldName, hasKey?: boolean) => World;
}

const files: Readonly<Record<string, string>> = {
  "password.txt": "correct horse\n",
  "office-networks.txt": "203.0.113.0/24 # the office\n",
  "domains.txt": "# clients\nnew.example\nexample.com\n",
  "websites.csv": "domain,email\nexample.com,on\nnew.example,off\n",
  "websites.json": '[{"domain": "example.com", "email": 1}]\n',
  "clients.csv": "domain,notes\nnew.example,since 2024\n",
  "sites.json": '[{"idsite": "1", "main_url": "https://new.example"}]\n',
  "clients.yaml": "version: 1\ndefaults: { privacy: private }\nwebsites: [example.com, new.example]\n",
  "settings.json": '{"privacy": 1}\n',
  "visits.ndjson": '{"url": "https://example.com/", "ip": "203.0.113.7"}\n',
};
/** What nginx and Caddy wrote of the same hostile requests. */
const logs: Readonly<Record<string, string>> = { "access.log": "nginx.txt", "caddy.log": "caddy.txt" };
const logFolder = join(repositoryRoot, "apps/cli/test/support/access-logs");
const firstDomains = [
  "example.net",
  "intern.example.com",
  "blog.example.com",
  "shop.example",
  "b.example",
  "c.example",
];

/** Builds both worlds. The filled one has websites 1 to 8, a site file that differs from them, and two profiles. */
export async function buildWorlds(): Promise<Worlds> {
  const root = mkdtempSync(join(tmpdir(), "siteward-lines-"));
  const empty = join(root, "empty");
  mkdirSync(join(empty, "data"), { recursive: true });
  const { apiKey } = await createAccount(serverBin, databaseIn(empty), {});
  const named = (command: string, name: string) => [command, "create", "--name", name];
  await operate(serverBin, databaseIn(empty), [...named("accounts", "Globex"), "--email", "ops@example.org"]);
  const other = await operate(serverBin, databaseIn(empty), [...named("keys", "other"), "--account", "1"]);
  const keyPrefix = String(other["key"]).slice(0, 12);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(empty, name), text);
  for (const [name, recorded] of Object.entries(logs)) cpSync(join(logFolder, recorded), join(empty, name));
  writeFileSync(join(empty, "key.txt"), `${apiKey}\n`);
  writeFileSync(join(empty, "leaked.txt"), `${keyPrefix}\n`);
  for (const path of [".local/share/bash-completion/completions", ".config/fish/completions"])
    mkdirSync(join(empty, path), { recursive: true });
  cpSync(empty, join(root, "filled"), { recursive: true });
  await fill(join(root, "filled"), apiKey);
  const path = [writePrograms(root), dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  const copy = (name: WorldName, hasKey = true): World => {
    const folder = mkdtempSync(join(root, "line-"));
    cpSync(join(root, name), folder, { recursive: true });
    if (!hasKey) rmSync(join(folder, "config"), { recursive: true, force: true });
    const env = { PATH: path, ...settingsIn(folder), ...(hasKey ? { SITEWARD_API_KEY: apiKey } : {}) };
    const remove = () => rmSync(folder, { recursive: true, force: true });
    return { folder, databaseUrl: databaseIn(folder), apiKey, keyPrefix, env, [Symbol.dispose]: remove };
  };
  return { copy, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

async function fill(folder: string, apiKey: string): Promise<void> {
  await using server = await startServer(serverBin, databaseIn(folder));
  const { websites } = new Siteward({ apiKey, baseUrl: server.url });
  for (const domain of firstDomains) await websites.create({ domain });
  const env = { ...settingsIn(folder), SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: server.url };
  const run = async (...words: string[]) => {
    const { exitCode, stderr } = await runBuiltCli(words, env);
    if (exitCode !== 0) throw new Error(`\`siteward ${words.join(" ")}\` ended with ${exitCode}:\n${stderr}`);
  };
  for (const name of ["default", "work"])
    await run("login", "--api-key-file", join(folder, "key.txt"), "--profile", name);
  await run("export", join(folder, "siteward.yaml"));
  // From here on, the account differs from the file: one website to update, two to delete.
  await websites.update(1, { email: 1 });
  const { id } = await websites.create({ domain: "example.com", exclude_params: ["ref"] });
  await websites.create({ domain: "example.org" });
  // Version 3 of website 7.
  for (const email of [1, 0] as const) await websites.update(id, { email });
  await server.stop();
}

/** Writes the programs by their names. curl fails if the service refuses its request. */
function writePrograms(root: string): string {
  const folder = join(root, "programs");
  const curl = execFileSync("sh", ["-c", "command -v curl"], { encoding: "utf8" }).trim();
  const programs = {
    siteward: `'${process.execPath}' '${cliBin}'`,
    "siteward-server": `'${process.execPath}' '${serverBin}'`,
    curl: `'${curl}' --silent --show-error --fail-with-body`,
  };
  mkdirSync(folder);
  for (const [name, command] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${command} "$@"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

function settingsIn(folder: string): Readonly<Record<string, string>> {
  return { HOME: folder, SITEWARD_CONFIG_DIR: join(folder, "config"), SITEWARD_KEY_STORE: "file" };
}

function databaseIn(folder: string): string {
  return `file:${join(folder, "data/siteward.db")}`;
}
