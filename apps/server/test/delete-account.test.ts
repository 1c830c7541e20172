import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { openTerminal } from "@siteward/testing/open-terminal";
import { serverBin } from "@siteward/testing/servers/built-programs";
import { describe, expect, test, vi } from "vitest";
import { engines } from "./support/engines.ts";
import { startProgram } from "./support/run-program.ts";
import { readInstallation } from "./support/storage/read-installation.ts";
import { newWebsite } from "./support/storage.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

// Most of them wait. They poll with `vi.waitFor`, because `expect.poll` needs to know which test runs.
describe.for(Object.entries(engines))("accounts delete (%s)", { concurrent: true }, ([, engine]) => {
  test("deletes an account while the server runs and a client creates websites, until its key stops working", async () => {
    await using server = await startTestServer(engine);
    const { accountId, key } = await server.addAccount();
    await server.storage.websites.create(server.accountId, newWebsite("kept.example"));
    // More than one transaction deletes.
    for (let number = 0; number < 450; number += 1) {
      const idempotency = { key: `key-${number}`, fingerprint: "f" };
      await server.storage.websites.create(accountId, newWebsite(`many-${number}.example`), { idempotency });
    }
    for (let number = 0; number < 60; number += 1) await server.addKey({ accountId });
    const statuses = new Set<number>();
    let created = 0;
    let isDone = false;
    const client = (async () => {
      while (!isDone) {
        const { status } = await server.create(`site-${created}.example`, { key });
        statuses.add(status);
        if (status === 201) created += 1;
        await sleep(20);
      }
    })();
    await vi.waitUntil(() => created > 3, { timeout: 60_000 });
    const before = await readInstallation(server.databaseUrl);
    const { exitCode, stdout } = await server.run("accounts delete 2 --yes --json");
    isDone = true;
    await client;
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      id: 2,
      name: "Test account",
      email: "test@example.com",
      // The trail has the account, and each key twice: it was created and revoked.
      deleted: {
        websites: 450 + created,
        idempotency_keys: 450,
        audit_entries: 450 + created + 1 + 2 * 61,
        api_keys: 61,
      },
    });
    expect([...statuses].sort()).toEqual([201, 401]);
    const isOfOther = (row: { readonly account_id: number }) => row.account_id !== 2;
    expect(await readInstallation(server.databaseUrl)).toEqual({
      accounts: before.accounts.filter(({ id }) => id !== 2),
      apiKeys: before.apiKeys.filter(isOfOther),
      websites: before.websites.filter(isOfOther),
      auditEntries: before.auditEntries.filter(isOfOther),
      idempotencyKeys: [],
      accountDeletions: [{ account_id: 2, last_api_key_id: 62, began_at: expect.any(Number) }],
      versions: before.versions,
    });
    expect(await server.findFaults()).toEqual([]);
    expect((await server.call("GET", "/api/v1/websites")).status).toBe(200);
    // The IDs of the account and of its keys are never used again.
    expect((await server.addAccount()).accountId).toBe(3);
    expect(await server.execute("select max(id) as id from api_keys")).toEqual([{ id: 63 }]);
  });

  test("finishes what another run began, if that was stopped, and leaves no password hash in the files of SQLite", async () => {
    await using server = await startTestServer(engine);
    for (let number = 0; number < 5; number += 1) {
      const form = { domain: `site-${number}.example`, privacy: 2, password: "correct horse battery staple" };
      expect((await server.call("POST", "/api/v1/websites", { form })).status).toBe(201);
    }
    const before = await readFiles(server);
    await using running = startProgram(["accounts", "delete", "1", "--yes"], server.environment);
    const remaining = async () => {
      const { websites, auditEntries } = await readInstallation(server.databaseUrl);
      return websites.length + auditEntries.length;
    };
    await vi.waitFor(async () => expect(await remaining()).toBe(0), { timeout: 60_000 });
    // The keys were revoked less than 5 seconds ago, so the account is still kept.
    running.child.kill("SIGINT");
    expect(await running.ended).toMatchObject({ exitCode: null, stdout: "" });
    expect(await server.operate("accounts list")).toHaveLength(1);
    expect(await server.run("keys create --account 1 --name late")).toMatchObject({ exitCode: 2, stdout: "" });
    const next = { prefix: "swk_rotated0", hash: new Uint8Array(32), expiresAt: null };
    const rotate = () => ({ next, expiresAt: new Date() });
    expect(await server.storage.apiKeys.rotate(server.key.slice(0, 12), rotate)).toBeUndefined();
    expect((await server.run("accounts delete 1 --yes")).stdout).toBe(
      "Deleted account 1 (Test account): 0 websites, 1 API key, 0 idempotency keys, 0 audit entries.\n",
    );
    expect(await server.operate("accounts list")).toEqual([]);
    expect(before).toMatch(/^$|\$argon2id\$/);
    expect(await readFiles(server)).not.toContain("$argon2id$");
  });
});

describe("accounts delete without --yes", () => {
  test.for([
    ["deletes the account once its name is typed", "Müller & Co\r", 0],
    ["keeps the account if another name is typed", "Müller\r", 1],
    ["keeps the account if Ctrl-C is typed", "\u0003", 1],
  ] as const)("on a real terminal %s", async ([, typed, exitCode]) => {
    await using database = await engines.sqlite();
    await database.run(["accounts", "create", "--name", "Müller & Co", "--email", "a@example.com"]);
    const words = [process.execPath, serverBin, "accounts", "delete", "1"] as const;
    using terminal = openTerminal(words, { env: database.environment, columns: 200 });
    await terminal.waitFor("Account 1 (Müller & Co) has 0 websites and 0 API keys.");
    await terminal.waitFor("to confirm: ");
    terminal.type(typed);
    expect(await terminal.exitCode).toBe(exitCode);
    expect(await database.operate("accounts list")).toHaveLength(exitCode);
  });
});

/** Of SQLite. */
async function readFiles({ engine, path }: TestServer): Promise<string> {
  return engine === "sqlite" ? (await Promise.all([path, `${path}-wal`].map((file) => readFile(file)))).join("") : "";
}
