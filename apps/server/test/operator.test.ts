import { userInfo } from "node:os";
import { isWellFormedApiKey } from "@siteward/contract/plain";
import { serverBin } from "@siteward/testing/servers/built-programs";
import { startProcess } from "@siteward/testing/start-process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateApiKey } from "../src/operator/api-keys.ts";
import { describeOnEveryEngine, engines, type TestDatabase } from "./support/engines.ts";
import { runInProcess as run } from "./support/run-in-process.ts";
import { startTestServer } from "./support/test-server.ts";

const dayMs = 86_400_000;
const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const inDays = (text: string) => (Date.parse(text) - Date.now()) / dayMs;
const createAccount = "accounts create --name A --email a@example.com";

describeOnEveryEngine("the operator's commands", (engine) => {
  test("accounts are created, listed and updated", async () => {
    await using database = await engine();
    const settings = ["--name", "Müller & Co", "--email", "ops@example.com", "--website-limit", "5"];
    const account = {
      id: 1,
      name: "Müller & Co",
      email: "ops@example.com",
      websites: { count: 0, limit: 5 },
      created_at: time,
      updated_at: time,
    };
    expect(await database.operate(["accounts", "create", ...settings])).toEqual(account);
    expect(await database.operate("accounts list")).toEqual([account]);
    const updated = { ...account, name: "New", websites: { count: 0, limit: null } };
    expect(await database.operate("accounts update 1 --name New --website-limit none")).toEqual(updated);
    // The flag wins over the environment.
    const list = await run(`accounts list --database-url ${database.databaseUrl}`, { DATABASE_URL: "nonsense:" });
    expect(list.stdout).toMatch(/^ID +NAME +EMAIL +WEBSITES +LIMIT\n1 +New +ops@example\.com +0 +none\n$/);
  });

  test("keys are created, listed, updated and revoked, and a key is shown only when it is created", async () => {
    await using database = await engine();
    for (const _ of [1, 2]) await database.run(createAccount);
    const settings = ["--name", "CI", "--scopes", "websites:read, account:read", "--expires", "90d"];
    const { key, ...created } = await database.operate(["keys", "create", "--account", "1", ...settings]);
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
    expect(await database.operate("keys list --account 1")).toEqual([created]);
    expect(await database.operate("keys list --account 2")).toEqual([]);
    const update = `keys update ${created.prefix} --name New --scopes websites:read`;
    const updated = { ...created, name: "New", scopes: ["websites:read"], expires_at: null };
    expect(await database.operate(`${update} --expires never --rate-limit none`)).toEqual({
      ...updated,
      rate_limit: 0,
    });
    expect(await database.operate(`${update} --rate-limit default`)).toEqual(updated);
    const list = await database.run("keys list");
    expect(list.stdout).toMatch(/^PREFIX +ACCOUNT +NAME +SCOPES +STATE +RATE LIMIT +EXPIRES +LAST USED$/m);
    expect(list.stdout).toMatch(/ 1 +New +websites:read +active +default +never /);
    expect(list.stdout).not.toContain(key);
    const revoked = await database.operate(`keys revoke ${created.prefix}`);
    expect(revoked).toEqual({ ...updated, state: "revoked", revoked_at: time });
    // The time of the first revocation stays.
    expect(await database.operate(`keys revoke ${created.prefix}`)).toEqual(revoked);
    for (const line of [update, `keys rotate ${created.prefix}`]) {
      const stderr = expect.stringContaining(`The API key ${created.prefix} was revoked at`);
      expect(await database.run(line)).toEqual({ exitCode: 2, stdout: "", stderr });
    }
    expect(await database.operate("keys list")).toEqual([revoked]);
  });

  test("a key is rotated once by each command, which shows the new key once and says when both expire", async () => {
    await using server = await startTestServer(engine);
    const prefix = server.key.slice(0, 12);
    await server.run(`keys update ${prefix} --scopes websites:read --rate-limit 7`);
    const { stdout } = await server.run(`keys rotate ${prefix} --expires 90d`);
    expect(stdout).toMatch(/^ {2}swk_[0-9A-Za-z]{38}$/m);
    expect(stdout).toMatch(/^It expires at \d{4}-.*Z\.\nThe old key swk_[0-9A-Za-z]{8} works until \d{4}-.*Z\.$/m);
    const [old, next] = await server.operate("keys list");
    expect(inDays(old.expires_at)).toBeGreaterThan(0.9);
    expect(inDays(old.expires_at)).toBeLessThanOrEqual(1);
    expect(inDays(next.expires_at)).toBeGreaterThan(89);
    const same = { account_id: 1, name: "test key", scopes: ["websites:read"], rate_limit: 7 };
    expect([old, next]).toMatchObject([same, same]);
    const stderr = expect.stringContaining("--expires");
    expect(await server.run(`keys rotate ${prefix}`)).toEqual({ exitCode: 2, stdout: "", stderr });
    expect(await server.operate("keys list")).toEqual([old, next]);
    // The old key never works longer than it would have.
    await server.run(`keys rotate ${prefix} --overlap 48h --expires 90d`);
    expect((await server.operate("keys list")).slice(0, 2)).toEqual([old, next]);
  });

  test("a server that runs knows a new account limit and a new key at once, and other changes of keys within 5 seconds", async () => {
    await using server = await startTestServer(engine);
    const status = async (key: string) => (await server.call("GET", "/api/v1/account", { key })).status;
    await server.run("accounts update 1 --website-limit 0");
    const full = await server.create("example.com");
    expect(full.refusal).toEqual([403, "website_limit_reached"]);

    const create = "keys create --account 1 --name CI";
    const [revoked, narrowed] = [await server.operate(create), await server.operate(create)];
    const old = server.key.slice(0, 12);
    const rotated = await server.operate(`keys rotate ${old} --overlap 48h`);
    expect(rotated).toMatchObject({ name: "test key", expires_at: null, replaces: { prefix: old, state: "active" } });
    expect(inDays(rotated.replaces.expires_at)).toBeGreaterThan(1.9);
    expect(inDays(rotated.replaces.expires_at)).toBeLessThan(3);
    const keys = [revoked.key, narrowed.key, server.key, rotated.key];
    expect(await Promise.all(keys.map(status))).toEqual([200, 200, 200, 200]);

    await server.run(`keys revoke ${revoked.prefix}`);
    await server.run(`keys update ${narrowed.prefix} --scopes websites:read --rate-limit 7`);
    // The old key has an expiry now, so that of the new one must be said.
    await server.run(`keys rotate ${old} --overlap 0 --expires never`);
    await expect.poll(() => Promise.all(keys.map(status)), { interval: 100 }).toEqual([401, 403, 401, 200]);
    const limited = await server.call("GET", "/api/v1/websites", { key: narrowed.key });
    expect(limited.header("RateLimit-Policy")).toBe('"default";q=7;w=60');
  });
});

test("keys are revoked that standard input names, as whole keys or prefixes, and unknown ones are reported without printing them", async () => {
  await using server = await startTestServer(engines.sqlite);
  const others = [await server.addKey(), await server.addKey()];
  const unknown = generateApiKey().key;
  // A leaked text that only begins like a key of this server.
  const similar = `${server.key.slice(0, 12)}${"0".repeat(30)}`;
  const input = `${others[0]}\r\n\n  ${others[1]?.slice(0, 12)}\n${unknown}\n${similar}\nhunter2 is no key\n`;
  const result = await server.run("keys revoke --stdin --json", input);
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
  const again = await server.run("keys revoke --stdin", others.join("\n"));
  expect(again).toMatchObject({ exitCode: 0, stderr: "" });
  expect(again.stdout.split("\n")).toHaveLength(3);
});

test("what an operator changes is in the audit trail with each field and the name of the system's user", async () => {
  await using database = await engines.sqlite();
  await database.run(createAccount);
  const { key, prefix } = await database.operate("keys create --account 1 --name CI --rate-limit 5");
  await database.run("accounts update 1 --name B --website-limit 5");
  await database.run(`keys update ${prefix} --scopes websites:read --rate-limit none`);
  await database.run(`keys revoke ${prefix}`);
  const entries = (await database.operate("audit")).data.toReversed();
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
  beforeAll(async () => {
    database = await engines.sqlite({ isMigrated: true });
    await database.run(createAccount);
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
    const before = await database.operate("audit");
    for (const [line, named] of refused) {
      const result = await database.run(line);
      expect({ line, ...result }).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(named) });
      expect(result.stderr).not.toMatch(/secret|\n {4}at /);
    }
    expect(await database.operate("audit")).toEqual(before);
  });

  test("with a whole key instead of a prefix is refused without printing it", async () => {
    const { key } = generateApiKey();
    for (const [line, named] of [
      [`keys revoke ${key}`, "Use "],
      [`audit --account 1 --key ${key}`, "No API key has the prefix"],
      [`keys create --name A --account ${key}`, "--account is"],
    ] as const) {
      const result = await database.run(line);
      expect(result).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(named) });
      expect(result.stderr).toContain(key.slice(0, 12));
      expect(result.stderr).not.toContain(key.slice(0, 14));
    }
  });

  test("with --stdin needs a line there", async () => {
    for (const words of ["keys revoke", "keys create --name A", "accounts create"]) {
      const stderr = expect.stringMatching(/is empty\. Send (an?|the) /);
      expect(await database.run(`${words} --stdin`, "\r\n\n")).toEqual({ exitCode: 2, stdout: "", stderr });
    }
  });

  test("with --help lists the options, including --json, and the settings with their variables and defaults", async () => {
    for (const [command, ...named] of [
      ["start", "--bootstrap", "--port <value>", "SITEWARD_PORT; 3000", "127.0.0.1", "DATABASE_URL", "LOG_LEVEL"],
      ["accounts list"],
      ["keys rotate", "--overlap"],
    ] as const) {
      const result = await run(`${command} --help`, {});
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
    expect(await run("--version", {})).toMatchObject(version);
  });
});

describe("a result whose reader has gone away", () => {
  test.for([
    ["keys create --account 1 --name CI", "The result could not be written to standard output: write EPIPE.\n"],
    ["migrate --dry-run 2>&1", ""],
  ] as const)("ends `%s | true` with exit code 1 and at most one line", async ([words, message]) => {
    await using database = await engines.sqlite({ isMigrated: true });
    await database.run(createAccount);
    const line = `{ "$NODE" "$PROGRAM" ${words}; echo "exit code $?" >&3; } 3>&2 | true`;
    const env = { ...database.environment, NODE: process.execPath, PROGRAM: serverBin };
    const { stderr } = await startProcess(["/bin/sh", "-c", line], { env, stdin: "" }).ended;
    expect(stderr).toBe(`${message}exit code 1\n`);
  });
});
