import { userInfo } from "node:os";
import { isWellFormedApiKey } from "@siteward/contract/plain";
import { serverBin } from "@siteward/testing/servers/built-programs";
import { startProcess } from "@siteward/testing/start-process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateApiKey } from "../src/operator/api-keys.ts";
import { describeOnEveryEngine, engines, type TestDatabase } from "./support/engines.ts";
import { readJson } from "./support/read-json.ts";
import { runInProcess as run } from "./support/run-in-process.ts";
import { runProgram } from "./support/run-program.ts";
import { startTestServer } from "./support/test-server.ts";

const dayMs = 86_400_000;
const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const inDays = (text: string) => (Date.parse(text) - Date.now()) / dayMs;
const createAccount = ["accounts", "create", "--name", "A", "--email", "a@example.com"];

describeOnEveryEngine("the operator's commands", (engine) => {
  test("accounts are created, listed and updated", async () => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl };
    const settings = ["--name", "Müller & Co", "--email", "ops@example.com", "--website-limit", "5"];
    const account = {
      id: 1,
      name: "Müller & Co",
      email: "ops@example.com",
      websites: { count: 0, limit: 5 },
      created_at: time,
      updated_at: time,
    };
    expect(readJson(await run(["accounts", "create", ...settings, "--json"], environment))).toEqual(account);
    expect(readJson(await run(["accounts", "list", "--json"], environment))).toEqual([account]);
    const change = ["accounts", "update", "1", "--name", "New", "--website-limit", "none", "--json"];
    const updated = { ...account, name: "New", websites: { count: 0, limit: null } };
    expect(readJson(await run(change, environment))).toEqual(updated);
    // The flag wins over the environment.
    const list = await run(["accounts", "list", "--database-url", database.databaseUrl], { DATABASE_URL: "nonsense:" });
    expect(list.stdout).toMatch(/^ID +NAME +EMAIL +WEBSITES +LIMIT\n1 +New +ops@example\.com +0 +none\n$/);
  });

  test("keys are created, listed, updated and revoked, and a key is shown only when it is created", async () => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl };
    for (let account = 1; account <= 2; account += 1) await run(createAccount, environment);
    const settings = ["--name", "CI", "--scopes", "websites:read, account:read", "--expires", "90d"];
    const { key, ...created } = readJson(
      await run(["keys", "create", "--account", "1", ...settings, "--json"], environment),
    );
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(created).toEqual({
      prefix: key.slice(0, 12),
      account_id: 1,
      name: "CI",
      scopes: ["websites:read", "account:read"],
      state: "active",
      rate_limit: null,
      created_at: time,
      expires_at: time,
      last_used_at: null,
      revoked_at: null,
    });
    expect(inDays(created.expires_at)).toBeGreaterThan(89.9);
    expect(readJson(await run(["keys", "list", "--account", "1", "--json"], environment))).toEqual([created]);
    expect(readJson(await run(["keys", "list", "--account", "2", "--json"], environment))).toEqual([]);
    const update = ["keys", "update", created.prefix, "--name", "New", "--scopes", "websites:read", "--json"];
    const unlimited = readJson(await run([...update, "--expires", "never", "--rate-limit", "none"], environment));
    const updated = { ...created, name: "New", scopes: ["websites:read"], expires_at: null };
    expect(unlimited).toEqual({ ...updated, rate_limit: 0 });
    expect(readJson(await run([...update, "--rate-limit", "default"], environment))).toEqual(updated);
    const list = await run(["keys", "list"], environment);
    expect(list.stdout).toMatch(/^PREFIX +ACCOUNT +NAME +SCOPES +STATE +RATE LIMIT +EXPIRES +LAST USED$/m);
    expect(list.stdout).toMatch(/ 1 +New +websites:read +active +default +never /);
    expect(list.stdout).not.toContain(key);
    const revoke = () => run(["keys", "revoke", created.prefix, "--json"], environment);
    const revoked = readJson(await revoke());
    expect(revoked).toEqual({ ...updated, state: "revoked", revoked_at: time });
    // The time of the first revocation stays.
    expect(readJson(await revoke())).toEqual(revoked);
    for (const words of [update, ["keys", "rotate", created.prefix]]) {
      const result = await run(words, environment);
      expect(result).toMatchObject({ exitCode: 2, stdout: "" });
      expect(result.stderr).toContain(`The API key ${created.prefix} was revoked at`);
    }
    expect(readJson(await run(["keys", "list", "--json"], environment))).toEqual([revoked]);
  });

  test("a key is rotated once by each command, which shows the new key once and says when both expire", async () => {
    await using server = await startTestServer(engine);
    const environment = { DATABASE_URL: server.databaseUrl };
    const prefix = server.key.slice(0, 12);
    await run(["keys", "update", prefix, "--scopes", "websites:read", "--rate-limit", "7"], environment);
    const { stdout } = await run(["keys", "rotate", prefix, "--expires", "90d"], environment);
    expect(stdout).toMatch(/^ {2}swk_[0-9A-Za-z]{38}$/m);
    expect(stdout).toMatch(/^It expires at \d{4}-.*Z\.\nThe old key swk_[0-9A-Za-z]{8} works until \d{4}-.*Z\.$/m);
    const [old, next] = readJson(await run(["keys", "list", "--json"], environment));
    expect(inDays(old.expires_at)).toBeGreaterThan(0.9);
    expect(inDays(old.expires_at)).toBeLessThanOrEqual(1);
    expect(inDays(next.expires_at)).toBeGreaterThan(89);
    const same = { account_id: 1, name: "test key", scopes: ["websites:read"], rate_limit: 7 };
    expect([old, next]).toMatchObject([same, same]);
    const again = await run(["keys", "rotate", prefix], environment);
    expect(again).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("--expires") });
    expect(readJson(await run(["keys", "list", "--json"], environment))).toEqual([old, next]);
    // The old key never works longer than it would have.
    await run(["keys", "rotate", prefix, "--overlap", "48h", "--expires", "90d"], environment);
    expect(readJson(await run(["keys", "list", "--json"], environment)).slice(0, 2)).toEqual([old, next]);
  });

  test("a server that runs knows a new account limit and a new key at once, and other changes of keys within 5 seconds", async () => {
    await using server = await startTestServer(engine);
    const environment = { DATABASE_URL: server.databaseUrl };
    const status = async (key: string) => (await server.call("GET", "/api/v1/account", { key })).status;
    await run(["accounts", "update", "1", "--website-limit", "0"], environment);
    const full = await server.call("POST", "/api/v1/websites", { form: { domain: "example.com" } });
    expect(full.refusal).toEqual([403, "website_limit_reached"]);

    const create = ["keys", "create", "--account", "1", "--name", "CI", "--json"];
    const [revoked, narrowed] = [readJson(await run(create, environment)), readJson(await run(create, environment))];
    const old = server.key.slice(0, 12);
    const rotated = readJson(await run(["keys", "rotate", old, "--overlap", "48h", "--json"], environment));
    expect(rotated).toMatchObject({ name: "test key", expires_at: null, replaces: { prefix: old, state: "active" } });
    expect(inDays(rotated.replaces.expires_at)).toBeGreaterThan(1.9);
    expect(inDays(rotated.replaces.expires_at)).toBeLessThan(3);
    const keys = [revoked.key, narrowed.key, server.key, rotated.key];
    expect(await Promise.all(keys.map(status))).toEqual([200, 200, 200, 200]);

    await run(["keys", "revoke", revoked.prefix], environment);
    await run(["keys", "update", narrowed.prefix, "--scopes", "websites:read", "--rate-limit", "7"], environment);
    // The old key has an expiry now, so that of the new one must be said.
    await run(["keys", "rotate", old, "--overlap", "0", "--expires", "never"], environment);
    await expect.poll(() => Promise.all(keys.map(status)), { interval: 100 }).toEqual([401, 403, 401, 200]);
    const limited = await server.call("GET", "/api/v1/websites", { key: narrowed.key });
    expect(limited.header("RateLimit-Policy")).toBe('"default";q=7;w=60');
  });
});

test("keys are revoked that standard input names, as whole keys or prefixes, and unknown ones are reported without printing them", async () => {
  await using server = await startTestServer(engines.sqlite);
  const environment = { DATABASE_URL: server.databaseUrl };
  const others = [await server.addKey(), await server.addKey()];
  const unknown = generateApiKey().key;
  // A leaked text that only begins like a key of this server.
  const similar = `${server.key.slice(0, 12)}${"0".repeat(30)}`;
  const input = `${others[0]}\r\n\n  ${others[1]?.slice(0, 12)}\n${unknown}\n${similar}\nhunter2 is no key\n`;
  const result = await runProgram(["keys", "revoke", "--stdin", "--json"], environment, input);
  expect(result.exitCode).toBe(1);
  const revoked = result.stdout.trimEnd().split("\n");
  expect(revoked.map((line) => JSON.parse(line))).toMatchObject(
    others.map((key) => ({ prefix: key.slice(0, 12), state: "revoked" })),
  );
  expect(result.stderr.split("\n")).toEqual([
    `Line 4: no API key ${unknown.slice(0, 12)}… is known.`,
    `Line 5: no API key ${similar.slice(0, 12)}… is known.`,
    "Line 6 is not an API key.",
    "Revoked 2 of 5 API keys.",
    "",
  ]);
  for (const secret of [...others, unknown, similar, "hunter2"])
    expect(result.stdout + result.stderr).not.toContain(secret);
  expect((await server.call("GET", "/api/v1/account")).status).toBe(200);
  const again = await runProgram(["keys", "revoke", "--stdin"], environment, others.join("\n"));
  expect(again).toMatchObject({ exitCode: 0, stderr: "" });
  expect(again.stdout.split("\n")).toHaveLength(3);
});

test("what an operator changes is in the audit trail with each field and the name of the system's user", async () => {
  await using database = await engines.sqlite();
  const environment = { DATABASE_URL: database.databaseUrl };
  await run(createAccount, environment);
  const words = ["keys", "create", "--account", "1", "--name", "CI", "--rate-limit", "5", "--json"];
  const { key, prefix } = readJson(await run(words, environment));
  await run(["accounts", "update", "1", "--name", "B", "--website-limit", "5"], environment);
  await run(["keys", "update", prefix, "--scopes", "websites:read", "--rate-limit", "none"], environment);
  await run(["keys", "revoke", prefix], environment);
  const entries = readJson(await run(["audit", "--json"], environment)).data.toReversed();
  expect(entries).toMatchObject([
    {
      action: "account.created",
      changes: { name: { from: null, to: "A" }, email: { from: null, to: "a@example.com" } },
    },
    { action: "api_key.created", changes: { name: { from: null, to: "CI" }, prefix: { from: null, to: prefix } } },
    { action: "account.updated", changes: { name: { from: "A", to: "B" }, website_limit: { from: null, to: 5 } } },
    {
      action: "api_key.updated",
      changes: {
        scopes: { added: [], removed: ["websites:write", "account:read"] },
        rate_limit: { from: 5, to: 0 },
      },
    },
    { action: "api_key.revoked", changes: { revoked_at: { from: null, to: time } } },
  ]);
  for (const entry of entries)
    expect(entry).toMatchObject({ actor: { operator: userInfo().username }, request_id: null });
  expect(JSON.stringify(entries)).not.toContain(key.slice(12));
});

describe("a command line", () => {
  let database: TestDatabase;
  let environment: { DATABASE_URL: string };
  beforeAll(async () => {
    database = await engines.sqlite({ isMigrated: true });
    environment = { DATABASE_URL: database.databaseUrl };
    await run(createAccount, environment);
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const refused = [
    ["accounts create --email a@example.com", "--name"],
    ["accounts create --name A", "--email is missing. Use an address"],
    ["accounts create --name A --email nonsense", "--email"],
    ["accounts create --name A --email a@example.com --website-limit -1", "--website-limit"],
    ["accounts create --name A\u0007 --email a@example.com", "--name"],
    ["accounts update 1", "--name, --email or --website-limit"],
    ["accounts update 99 --name A", "Account 99 does not exist"],
    ["accounts delete 1", "--yes"],
    ["accounts list more", "too many arguments"],
    [`keys list --account 1 swk_${"a".repeat(38)}`, "swk_aaaaaaaa…"],
    ["accounts nonsense", "nonsense"],
    ["keys create --name A", "--account"],
    ["keys create --account 1", "--name"],
    ["keys create --account 1 --name A --stdin", "--stdin"],
    ["accounts create --name A --stdin", "--stdin"],
    ["keys create --account 99 --name A", "Account 99 does not exist"],
    ["keys create --account 1 --name A --scopes websites:read,", "--scopes"],
    ["keys create --account 1 --name A --expires soon", "--expires"],
    ["keys list --account 99", "Account 99 does not exist"],
    ["keys revoke", "--stdin"],
    ["keys revoke swk_aaaaaaaa --stdin", "either"],
    ["keys update swk_aaaaaaaa", "--name, --scopes, --expires or --rate-limit"],
    ["keys update swk_aaaaaaaa --name A", "No API key has the prefix"],
    ["keys update swk_aaaaaaaa --rate-limit 0", "--rate-limit"],
    ["keys rotate swk_aaaaaaaa --overlap soon", "--overlap"],
    ["nonsense", "nonsense"],
    ["migrate --database-url mysql://u:secret@db/x", "DATABASE_URL (--database-url)"],
    ["migrate --database-url x.db", "DATABASE_URL (--database-url)"],
    ["migrate --database-url file:", "has no file path"],
    ["migrate --database-url file::memory:", "is an in-memory database"],
    ["migrate --database-url file:./a.db?mode=ro", 'contains a "?" or "#"'],
    ["migrate --database-url file://host/a.db", "contains a host name"],
    ["doctor --bogus", "--bogus"],
    ["migrate --database-url file:///%ZZ/x.db", "DATABASE_URL (--database-url)"],
    ["start --database-replica-urls mysql://u:secret@db/x", "DATABASE_REPLICA_URLS (--database-replica-urls)"],
    ["start --port 70000", "SITEWARD_PORT (--port)"],
    ["start --bootstrap-key-file key", "together with --bootstrap"],
    ["copy --from file:a.db", "--to"],
    ["copy --from file:a.db --to file:a.db", "--from and --to are the same database"],
    ["copy --from mysql://u:secret@db/x --to file:a.db", "--from has the scheme"],
    ["copy --from postgres://u:secret@db/x?nonsense=1 --to file:a.db", '--from has an unknown parameter "nonsense"'],
    ["backup {time}{time}.db", "Write {time} once"],
    ["backup a.db --keep 7", "--keep needs {time}"],
    ["backup {time}.db --keep 0", "Use a whole number from 1 to 100000."],
    ["restore file:backup.db", "The backup is a path, not a URL."],
    ["audit --account 9", "Account 9 does not exist"],
    ["audit --account 1 --website a.example", "--website"],
    ["audit --website 1", "--website needs --account"],
    ["audit --key swk_nothing", 'No API key has the prefix "swk_nothing"'],
    ["audit --account 1 --since 2027-02-30", "--since"],
    ["audit --account 1 --limit 10001", "--limit"],
    ["audit --account 1 --json --ndjson", "--json and --ndjson"],
  ] as const;

  test("that is not valid exits with 2, changes nothing, prints nothing on standard output and names what is wrong", async () => {
    const before = await run(["audit", "--json"], environment);
    for (const [line, named] of refused) {
      const result = await run(line.split(" "), environment);
      expect({ line, ...result }).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(named) });
      expect(result.stderr).not.toMatch(/secret|\n {4}at /);
    }
    expect(await run(["audit", "--json"], environment)).toEqual(before);
  });

  test.for([
    ["keys revoke", "", "Use "],
    ["audit --account 1 --key", "", "No API key has the prefix"],
    ["keys create --name A --account", "", "--account is"],
  ] as const)(
    "with a whole key instead of a prefix is refused without printing it: %s",
    async ([command, more, named]) => {
      const { key } = generateApiKey();
      const result = await run(`${command} ${key} ${more}`.trim().split(" "), environment);
      expect(result).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(named) });
      expect(result.stderr).toContain(key.slice(0, 12));
      expect(result.stderr).not.toContain(key.slice(0, 14));
    },
  );

  test("with --stdin needs a line there", async () => {
    for (const words of ["keys revoke", "keys create --name A", "accounts create"]) {
      const none = await runProgram([...words.split(" "), "--stdin"], environment, "\r\n\n");
      expect(none).toMatchObject({
        exitCode: 2,
        stdout: "",
        stderr: expect.stringMatching(/is empty\. Send (an?|the) /),
      });
    }
  });

  test("with --help lists the options, including --json, and the settings with their variables and defaults", async () => {
    for (const [command, ...named] of [
      ["start", "--bootstrap", "--port <value>", "SITEWARD_PORT; 3000", "127.0.0.1", "DATABASE_URL", "LOG_LEVEL"],
      ["accounts list"],
      ["keys rotate", "--overlap"],
    ] as const) {
      const result = await run([...command.split(" "), "--help"], {});
      expect(result).toMatchObject({ exitCode: 0, stderr: "" });
      for (const text of [...named, "--json"]) expect(result.stdout.replace(/\s+/g, " ")).toContain(text);
    }
  });

  test("without arguments exits with 2 and lists the commands, and --version prints the version", async () => {
    const result = await run([], {});
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    for (const command of ["start", "migrate", "copy", "accounts", "keys", "audit"])
      expect(result.stderr).toContain(command);
    const version = { exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) };
    expect(await runProgram(["--version"], {})).toMatchObject(version);
  });
});

describe("a result whose reader has gone away", () => {
  test.for([
    ["keys create --account 1 --name CI", "The result could not be written to standard output: write EPIPE.\n"],
    ["migrate --dry-run 2>&1", ""],
  ] as const)("ends `%s | true` with exit code 1 and at most one line", async ([words, message]) => {
    await using database = await engines.sqlite({ isMigrated: true });
    const environment = { DATABASE_URL: database.databaseUrl };
    await run(createAccount, environment);
    const line = `{ "$NODE" "$PROGRAM" ${words}; echo "exit code $?" >&3; } 3>&2 | true`;
    const env = { ...environment, NODE: process.execPath, PROGRAM: serverBin };
    const { stderr } = await startProcess(["/bin/sh", "-c", line], { env, stdin: "" }).ended;
    expect(stderr).toBe(`${message}exit code 1\n`);
  });
});
