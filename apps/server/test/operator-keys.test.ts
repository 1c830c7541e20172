import { userInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { generateApiKey } from "../src/auth/api-key.ts";
import { describeOnEveryEngine, engines } from "./support/engines.ts";
import { readJson } from "./support/read-json.ts";
import { runInProcess as run } from "./support/run-in-process.ts";
import { runProgram } from "./support/run-program.ts";
import { readAuditEntries } from "./support/storage/read-audit-entries.ts";
import { startTestServer } from "./support/test-server.ts";

const dayMs = 86_400_000;

describeOnEveryEngine("an API key", (engine) => {
  test("is rotated while the server runs: both keys work, and the old one only until the end of the overlap", async () => {
    await using server = await startTestServer(engine);
    const environment = { DATABASE_URL: server.databaseUrl };
    const old = server.key.slice(0, 12);
    const beforeMs = Date.now();
    const rotated = readJson(await runProgram(["keys", "rotate", old, "--overlap", "48h", "--json"], environment));
    expect(rotated).toMatchObject({ account_id: 1, name: "test key", state: "active", expires_at: null });
    expect(rotated).toMatchObject({ replaces: { prefix: old, state: "active" } });
    const overlapMs = Date.parse(rotated.replaces.expires_at) - beforeMs;
    expect(overlapMs).toBeGreaterThanOrEqual(2 * dayMs);
    expect(overlapMs).toBeLessThan(3 * dayMs);
    const status = async (key: string) => (await server.call("GET", "/api/v1/account", { key })).status;
    expect([await status(server.key), await status(rotated.key)]).toEqual([200, 200]);
    // The old key has an expiry now, so that of the new one must be said.
    await runProgram(["keys", "rotate", old, "--overlap", "0", "--expires", "never"], environment);
    await expect.poll(() => status(server.key), { timeout: 5000, interval: 100 }).toBe(401);
    expect(await status(rotated.key)).toBe(200);
  });

  test("is rotated once by each command, which shows the new key once and says when both expire", async () => {
    await using server = await startTestServer(engine);
    const environment = { DATABASE_URL: server.databaseUrl };
    const prefix = server.key.slice(0, 12);
    const { stdout } = await run(["keys", "rotate", prefix, "--expires", "90d"], environment);
    expect(stdout).toMatch(/^ {2}swk_[0-9A-Za-z]{38}$/m);
    expect(stdout).toMatch(/^It expires at \d{4}-.*Z\.\nThe old key swk_[0-9A-Za-z]{8} works until \d{4}-.*Z\.$/m);
    const [old, next] = readJson(await run(["keys", "list", "--json"], environment));
    expect(Date.parse(old.expires_at) - Date.now()).toBeGreaterThan(0.9 * dayMs);
    expect(Date.parse(old.expires_at) - Date.now()).toBeLessThanOrEqual(dayMs);
    expect(Date.parse(next.expires_at) - Date.now()).toBeGreaterThan(89 * dayMs);
    const list = await run(["keys", "list"], environment);
    expect(list.stdout).not.toContain(stdout.match(/swk_[0-9A-Za-z]{38}/)?.[0]);
    const again = await run(["keys", "rotate", prefix], environment);
    expect(again).toMatchObject({ exitCode: 2, stdout: "" });
    expect(again.stderr).toContain("--expires");
    expect(readJson(await run(["keys", "list", "--json"], environment))).toEqual([old, next]);
  });

  test("is updated while the server runs, and loses a scope within 5 seconds", async () => {
    await using server = await startTestServer(engine);
    const environment = { DATABASE_URL: server.databaseUrl };
    const prefix = server.key.slice(0, 12);
    const change = ["--name", "New", "--scopes", "websites:read", "--expires", "90d", "--rate-limit", "none"];
    const updated = readJson(await runProgram(["keys", "update", prefix, ...change, "--json"], environment));
    expect(updated).toMatchObject({ prefix, name: "New", scopes: ["websites:read"], rate_limit: 0, state: "active" });
    expect(Date.parse(updated.expires_at) - Date.now()).toBeGreaterThan(89 * dayMs);
    const status = async () => (await server.call("GET", "/api/v1/account")).status;
    await expect.poll(status, { timeout: 5000, interval: 100 }).toBe(403);
    const again = ["keys", "update", prefix, "--expires", "never", "--rate-limit", "default", "--json"];
    expect(readJson(await run(again, environment))).toEqual({ ...updated, expires_at: null, rate_limit: null });
    const list = await run(["keys", "list"], environment);
    expect(list.stdout).toMatch(/^PREFIX +ACCOUNT +NAME +SCOPES +STATE +RATE LIMIT +EXPIRES +LAST USED$/m);
    expect(list.stdout).toMatch(/ 1 +New +websites:read +active +default +never /);
  });

  test("is neither updated nor rotated once it is revoked", async () => {
    await using server = await startTestServer(engine);
    const environment = { DATABASE_URL: server.databaseUrl };
    const prefix = server.key.slice(0, 12);
    await run(["keys", "revoke", prefix], environment);
    const before = readJson(await run(["keys", "list", "--json"], environment));
    for (const words of [
      ["update", prefix, "--name", "New"],
      ["rotate", prefix],
    ]) {
      const result = await run(["keys", ...words], environment);
      expect(result).toMatchObject({ exitCode: 2, stdout: "" });
      expect(result.stderr).toContain(`The API key ${prefix} was revoked at`);
    }
    expect(readJson(await run(["keys", "list", "--json"], environment))).toEqual(before);
  });

  test("is revoked with others that standard input names, as a whole key or as a prefix, and unknown ones are reported without printing them", async () => {
    await using server = await startTestServer(engine);
    const environment = { DATABASE_URL: server.databaseUrl };
    const others = [await server.addKey(), await server.addKey()];
    const unknown = generateApiKey().key;
    // A leaked text that only begins like a key of this server.
    const similar = `${server.key.slice(0, 12)}${"0".repeat(30)}`;
    const input = `${others[0]}\r\n\n  ${others[1]?.slice(0, 12)}\n${unknown}\n${similar}\nhunter2 is no key\n`;
    const result = await runProgram(["keys", "revoke", "--stdin", "--json"], environment, input);
    expect(result.exitCode).toBe(1);
    const { revoked, unknown: reported } = JSON.parse(result.stdout);
    expect(revoked).toMatchObject(others.map((key) => ({ prefix: key.slice(0, 12), state: "revoked" })));
    expect(reported).toEqual([
      { line: 4, prefix: unknown.slice(0, 12) },
      { line: 5, prefix: similar.slice(0, 12) },
      { line: 6, prefix: null },
    ]);
    for (const secret of [...others, unknown, similar, "hunter2"])
      expect(result.stdout + result.stderr).not.toContain(secret);
    expect(result.stderr).toContain("Revoked 2 of 5 API keys.");
    expect((await server.call("GET", "/api/v1/account")).status).toBe(200);
    const again = await runProgram(["keys", "revoke", "--stdin"], environment, others.join("\n"));
    expect(again).toMatchObject({ exitCode: 0, stderr: "" });
    expect(again.stdout.split("\n")).toHaveLength(3);
  });

  test("is in the audit trail with the name of the system's user", async () => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl };
    await runProgram(["accounts", "create", "--name", "A", "--email", "a@example.com"], environment);
    const words = ["keys", "create", "--account", "1", "--name", "CI", "--rate-limit", "5", "--json"];
    const { key, prefix } = readJson(await runProgram(words, environment));
    await runProgram(["accounts", "update", "1", "--name", "B"], environment);
    await runProgram(["keys", "revoke", prefix], environment);
    const entries = await readAuditEntries(database.databaseUrl);
    expect(entries.map(({ action }) => action)).toEqual([
      "account.created",
      "api_key.created",
      "account.updated",
      "api_key.revoked",
    ]);
    for (const entry of entries)
      expect(entry).toMatchObject({ operator: userInfo().username, api_key: null, request_id: null });
    expect(JSON.stringify(entries)).not.toContain(key.slice(12));
  });
});

describe("a command line about API keys", () => {
  test.for([
    ["keys update swk_aaaaaaaa", "--name, --scopes, --expires or --rate-limit"],
    ["keys update swk_aaaaaaaa --name A", "No API key has the prefix"],
    ["keys update swk_aaaaaaaa --rate-limit 0", "--rate-limit"],
    ["keys update swk_aaaaaaaa --rate-limit many", "--rate-limit"],
    ["keys update swk_aaaaaaaa --expires soon", "--expires"],
    ["keys update swk_aaaaaaaa --scopes all", "--scopes"],
    ["keys rotate swk_aaaaaaaa", "No API key has the prefix"],
    ["keys rotate swk_aaaaaaaa --overlap soon", "--overlap"],
    ["keys rotate swk_aaaaaaaa --overlap -1h", "--overlap"],
    ["keys rotate", "prefix"],
    ["keys revoke", "--stdin"],
    ["keys revoke --stdin", "Standard input has no API key"],
    ["keys revoke swk_aaaaaaaa --stdin", "either"],
    ["accounts delete 1", "--yes"],
    ["accounts delete x --yes", "<id>"],
    ["accounts delete 99 --yes", "Account 99 does not exist"],
  ] as const)("exits with 2 if it is not valid, and says what is wrong: %s", async ([line, named]) => {
    const { environment, database } = await createAccount();
    await using _ = database;
    const result = await run(line.split(" "), environment);
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain(named);
  });

  test.for(["update", "rotate", "revoke"])(
    "with a whole key instead of a prefix is refused without printing it: keys %s",
    async (command) => {
      const { environment, database } = await createAccount();
      await using _ = database;
      const { key } = generateApiKey();
      const result = await run(["keys", command, key, ...(command === "update" ? ["--name", "A"] : [])], environment);
      expect(result).toMatchObject({ exitCode: 2, stdout: "" });
      expect(result.stderr).toContain(`Use ${key.slice(0, 12)}.`);
      expect(result.stderr).not.toContain(key);
    },
  );

  test("does not read more than a mebibyte of keys", async () => {
    const { environment, database } = await createAccount();
    await using _ = database;
    let chunks = 0;
    async function* endless() {
      for (;;) {
        chunks += 1;
        yield Buffer.alloc(65_536, "swk_\n");
      }
    }
    const result = await run(["keys", "revoke", "--stdin"], environment, { readInput: endless });
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain("more than 1,048,576 bytes");
    expect(chunks).toBe(17);
  });
});

async function createAccount() {
  const database = await engines.sqlite();
  const environment = { DATABASE_URL: database.databaseUrl };
  await run(["accounts", "create", "--name", "A", "--email", "a@example.com"], environment);
  return { environment, database };
}
