import { readFile } from "node:fs/promises";
import { openTerminal } from "@siteward/testing/open-terminal";
import { serverBin } from "@siteward/testing/servers/built-programs";
import { describe, expect, test, vi } from "vitest";
import { engines } from "./support/engines.ts";
import { readJson } from "./support/read-json.ts";
import { runInProcess as run } from "./support/run-in-process.ts";
import { startProgram } from "./support/run-program.ts";
import { readInstallation } from "./support/storage/read-installation.ts";
import { startTestServer } from "./support/test-server.ts";

// Most of them wait. They poll with `vi.waitFor`, because `expect.poll` needs to know which test runs.
describe.for(Object.entries(engines))("accounts delete (%s)", { concurrent: true }, ([, engine]) => {
  test("deletes an account while the server runs and a client creates websites, until its key stops working", async () => {
    await using server = await startTestServer(engine);
    const environment = { DATABASE_URL: server.databaseUrl };
    const other = await server.addAccount();
    await server.call("POST", "/api/v1/websites", { form: { domain: "kept.example" }, key: other.key });
    const statuses = new Set<number>();
    let created = 0;
    let isDone = false;
    const client = (async () => {
      while (!isDone) {
        const { status } = await server.call("POST", "/api/v1/websites", {
          form: { domain: `site-${created}.example` },
        });
        statuses.add(status);
        if (status === 201) created += 1;
      }
    })();
    await vi.waitUntil(() => created > 3, { timeout: 20_000 });
    const { exitCode, stdout } = await run(["accounts", "delete", "1", "--yes", "--json"], environment);
    isDone = true;
    await client;
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      id: 1,
      name: "Test account",
      email: "test@example.com",
      deleted: { websites: created, idempotency_keys: 0, audit_entries: created + 3, api_keys: 1 },
    });
    expect([...statuses].sort()).toEqual([201, 401]);
    const { accounts, apiKeys, websites, auditEntries } = await readInstallation(server.databaseUrl);
    expect(accounts.map(({ id }) => id)).toEqual([2]);
    expect(apiKeys.map(({ account_id }) => account_id)).toEqual([2]);
    expect(websites.map(({ account_id, domain }) => [account_id, domain])).toEqual([[2, "kept.example"]]);
    expect(auditEntries.filter(({ account_id }) => account_id !== 2)).toEqual([]);
    expect((await server.call("GET", "/api/v1/websites", { key: other.key })).status).toBe(200);
  });

  test("finishes what another run began, if that was stopped, and leaves no password hash in the files of SQLite", async () => {
    await using server = await startTestServer(engine);
    const environment = { DATABASE_URL: server.databaseUrl };
    for (let number = 0; number < 5; number += 1) {
      const form = { domain: `site-${number}.example`, privacy: 2, password: "correct horse battery staple" };
      expect((await server.call("POST", "/api/v1/websites", { form })).status).toBe(201);
    }
    const before = await readFiles(server.databaseUrl);
    await using running = startProgram(["accounts", "delete", "1", "--yes"], environment);
    const remaining = async () => {
      const { websites, auditEntries } = await readInstallation(server.databaseUrl);
      return websites.length + auditEntries.length;
    };
    await vi.waitFor(async () => expect(await remaining()).toBe(0), { timeout: 20_000, interval: 50 });
    // The keys were revoked less than 5 seconds ago, so the account is still kept.
    running.signal("SIGINT");
    expect(await running.ended).toMatchObject({ exitCode: null, stdout: "" });
    expect(readJson(await run(["accounts", "list", "--json"], environment))).toHaveLength(1);
    const key = await run(["keys", "create", "--account", "1", "--name", "late"], environment);
    expect(key).toMatchObject({ exitCode: 2, stdout: "" });
    const { stdout } = await run(["accounts", "delete", "1", "--yes"], environment);
    expect(stdout).toBe(
      "Deleted account 1 (Test account): 0 websites, 1 API key, 0 idempotency keys, 0 audit entries.\n",
    );
    expect(readJson(await run(["accounts", "list", "--json"], environment))).toEqual([]);
    expect(before).toMatch(/^$|\$argon2id\$/);
    expect(await readFiles(server.databaseUrl)).not.toContain("$argon2id$");
  });
});

describe("accounts delete without --yes", () => {
  test.for([
    ["the name of the account", "Müller & Co", 0],
    ["another name", "Müller", 1],
  ] as const)("asks for the name of the account: the answer is %s", async ([, answer, exitCode]) => {
    await using database = await createAccount();
    const environment = { DATABASE_URL: database.databaseUrl };
    const ask = () => Promise.resolve(answer);
    const result = await run(["accounts", "delete", "1"], environment, { ask });
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain("Account 1 (Müller & Co) has 0 websites and 0 API keys.");
    expect(readJson(await run(["accounts", "list", "--json"], environment))).toHaveLength(exitCode);
  });

  test.for([
    ["deletes the account once its name is typed", "Müller & Co\r", 0],
    ["keeps the account if Ctrl-C is typed", "\u0003", 1],
  ] as const)("on a real terminal %s", async ([, typed, exitCode]) => {
    await using database = await createAccount();
    const environment = { DATABASE_URL: database.databaseUrl };
    const words = [process.execPath, serverBin, "accounts", "delete", "1"] as const;
    using terminal = openTerminal(words, { env: environment, columns: 200 });
    await terminal.waitFor("to confirm: ");
    terminal.type(typed);
    expect(await terminal.exitCode).toBe(exitCode);
    expect(readJson(await run(["accounts", "list", "--json"], environment))).toHaveLength(exitCode);
  });
});

async function readFiles(databaseUrl: string): Promise<string> {
  if (!databaseUrl.startsWith("file:")) return "";
  const path = databaseUrl.slice("file:".length);
  return (await Promise.all([path, `${path}-wal`].map((file) => readFile(file)))).join("");
}

async function createAccount() {
  const database = await engines.sqlite();
  const settings = ["--name", "Müller & Co", "--email", "a@example.com"];
  await run(["accounts", "create", ...settings], { DATABASE_URL: database.databaseUrl });
  return database;
}
