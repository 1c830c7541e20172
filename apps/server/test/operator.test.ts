import { isWellFormedApiKey } from "@siteward/contract/api-key";
import { describe, expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { readJson } from "./support/read-json.ts";
import { runInProcess as run } from "./support/run-in-process.ts";
import { runProgram } from "./support/run-program.ts";
import { startTestServer } from "./support/test-server.ts";

const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

describeOnEveryEngine("the operator's commands", (engine) => {
  test("migrate prints both versions once, and then that there is nothing to do", async () => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl };
    const first = readJson(await runProgram(["migrate", "--json"], environment));
    expect(first).toEqual({ from: 0, to: expect.any(Number) });
    expect(first.to).toBeGreaterThanOrEqual(1);
    expect(readJson(await runProgram(["migrate", "--json"], environment))).toEqual({ from: first.to, to: first.to });
    expect(await run(["migrate"], environment)).toMatchObject({
      exitCode: 0,
      stdout: `The database is at version ${first.to}.\n`,
    });
  });

  test("accounts are created, listed and updated", async () => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl };
    const created = readJson(
      await runProgram(
        ["accounts", "create", "--name", "Müller & Co", "--email", "ops@example.com", "--website-limit", "5", "--json"],
        environment,
      ),
    );
    const account = {
      id: 1,
      name: "Müller & Co",
      email: "ops@example.com",
      websites: { count: 0, limit: 5 },
      created_at: time,
      updated_at: time,
    };
    expect(created).toEqual(account);
    expect(readJson(await run(["accounts", "list", "--json"], environment))).toEqual([account]);
    const updated = readJson(
      await run(["accounts", "update", "1", "--name", "New", "--website-limit", "none", "--json"], environment),
    );
    expect(updated).toEqual({ ...account, name: "New", websites: { count: 0, limit: null } });
    const list = await run(["accounts", "list"], environment);
    expect(list.stdout).toMatch(/^ID +NAME +EMAIL +WEBSITES +LIMIT\n1 +New +ops@example\.com +0 +none\n$/);
  });

  test("keys are created, listed and revoked, and a key is shown only when it is created", async () => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl };
    for (const name of ["A", "B"]) {
      await run(["accounts", "create", "--name", name, "--email", "a@example.com"], environment);
    }
    const created = readJson(
      await runProgram(
        [
          "keys",
          "create",
          "--account",
          "1",
          "--name",
          "CI",
          "--scopes",
          "websites:read, account:read",
          "--expires",
          "90d",
          "--json",
        ],
        environment,
      ),
    );
    expect(isWellFormedApiKey(created.key)).toBe(true);
    const { key, ...rest } = created;
    expect(rest).toEqual({
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
    expect(Date.parse(rest.expires_at) - Date.now()).toBeGreaterThan(89.9 * 86_400_000);
    expect(readJson(await run(["keys", "list", "--account", "1", "--json"], environment))).toEqual([rest]);
    expect(readJson(await run(["keys", "list", "--account", "2", "--json"], environment))).toEqual([]);
    expect(readJson(await run(["keys", "revoke", rest.prefix, "--json"], environment))).toEqual({
      ...rest,
      state: "revoked",
      revoked_at: time,
    });
    const list = await run(["keys", "list"], environment);
    expect(list.stdout).toContain(rest.prefix);
    expect(list.stdout).not.toContain(key);
  });

  test("a key that is created while the server runs works at once, and is refused within 5 seconds after it is revoked", async () => {
    await using server = await startTestServer(engine);
    const environment = { DATABASE_URL: server.databaseUrl };
    const { key, prefix } = readJson(
      await runProgram(["keys", "create", "--account", "1", "--name", "CI", "--json"], environment),
    );
    expect((await server.call("GET", "/api/v1/account", { key })).account.api_key).toMatchObject({
      name: "CI",
      prefix,
    });
    await runProgram(["keys", "revoke", prefix], environment);
    const call = async () => (await server.call("GET", "/api/v1/account", { key })).status;
    await expect.poll(call, { timeout: 5000, interval: 100 }).toBe(401);
  });

  test("an account that is updated while the server runs has its new limit at once", async () => {
    await using server = await startTestServer(engine);
    await run(["accounts", "update", "1", "--website-limit", "0"], { DATABASE_URL: server.databaseUrl });
    const answer = await server.call("POST", "/api/v1/websites", { form: { domain: "example.com" } });
    expect(answer.refusal).toEqual([403, "website_limit_reached"]);
  });

  test("the flag wins over the environment", async () => {
    await using database = await engine();
    await run(["migrate"], { DATABASE_URL: database.databaseUrl });
    const result = await run(["accounts", "list", "--json", "--database-url", database.databaseUrl], {
      DATABASE_URL: "nonsense:",
    });
    expect(readJson(result)).toEqual([]);
  });

  test.for([
    ["accounts create --email a@example.com", "--name"],
    ["accounts create --name A", "--email"],
    ["accounts create --name A --email nonsense", "--email"],
    ["accounts create --name A --email a@example.com --website-limit -1", "--website-limit"],
    ["accounts create --name A --email a@example.com --website-limit x", "--website-limit"],
    ["accounts create --name A\u0007 --email a@example.com", "--name"],
    ["accounts update 1", "--name, --email or --website-limit"],
    ["accounts update x --name A", "<id>"],
    ["accounts update 99 --name A", "Account 99 does not exist"],
    ["accounts update", "id"],
    ["keys create --name A", "--account"],
    ["keys create --account 1", "--name"],
    ["keys create --account x --name A", "--account"],
    ["keys create --account 99 --name A", "Account 99 does not exist"],
    ["keys create --account 1 --name A --scopes all", "--scopes"],
    ["keys create --account 1 --name A --scopes websites:read,", "--scopes"],
    ["keys create --account 1 --name A --expires soon", "--expires"],
    ["keys create --account 1 --name A --expires 2020-01-01", "--expires"],
    ["keys create --account 1 --name A --expires 0d", "--expires"],
    ["keys list --account 0", "--account"],
    ["keys list --account 99", "Account 99 does not exist"],
    ["keys revoke swk_nothing", "swk_nothing"],
    ["keys revoke", "prefix"],
    ["accounts list --nonsense", "--nonsense"],
    ["accounts list more", "too many arguments"],
    ["accounts nonsense", "nonsense"],
    ["nonsense", "nonsense"],
    ["migrate --database-url mysql://u:secret@db/x", "DATABASE_URL (--database-url)"],
    ["migrate --database-url x.db", "DATABASE_URL (--database-url)"],
    ["migrate --dry-run --database-url x.db", "DATABASE_URL (--database-url)"],
    ["migrate --database-url file:///%ZZ/x.db", "DATABASE_URL (--database-url)"],
    ["migrate --database-url file:///a%2Fb.db", "DATABASE_URL (--database-url)"],
    ["start --database-replica-urls mysql://u:secret@db/x", "DATABASE_REPLICA_URLS (--database-replica-urls)"],
    ["copy --from file:a.db", "--to"],
    ["copy --to file:a.db", "--from"],
    ["copy --from file:a.db --to file:a.db", "--from and --to are the same database"],
    ["copy --from mysql://u:secret@db/x --to file:a.db", "--from has the scheme"],
    ["copy --from file: --to file:a.db", "--from is"],
    ["copy --from postgres://u:secret@db/x?nonsense=1 --to file:a.db", '--from has an unknown parameter "nonsense"'],
    ["start --port 70000", "SITEWARD_PORT (--port)"],
  ] as const)(
    "a command line that is not valid exits with 2, prints nothing on standard output and names what is wrong: %s",
    async ([line, named]) => {
      await using database = await engine();
      const environment = { DATABASE_URL: database.databaseUrl };
      await run(["accounts", "create", "--name", "A", "--email", "a@example.com"], environment);
      const result = await run(line.split(" "), environment);
      expect(result).toMatchObject({ exitCode: 2, stdout: "" });
      expect(result.stderr).toContain(named);
      expect(result.stderr).not.toMatch(/secret|\n {4}at /);
      expect(readJson(await run(["keys", "list", "--json"], environment))).toEqual([]);
    },
  );
});

describe("the command line", () => {
  test.for([
    ["start", "--bootstrap"],
    ["migrate", "--dry-run"],
    ["copy", "--from"],
    ["accounts create", "--website-limit"],
    ["accounts list", "--json"],
    ["accounts update", "--name"],
    ["keys create", "--scopes"],
    ["keys list", "--account"],
    ["keys revoke", "--stdin"],
    ["keys update", "--rate-limit"],
    ["keys rotate", "--overlap"],
    ["accounts delete", "--yes"],
    ["audit", "--website"],
  ] as const)("%s --help lists its options, including --json", async ([command, option]) => {
    const result = await run([...command.split(" "), "--help"], {});
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(result.stdout).toContain(option);
    expect(result.stdout).toContain("--json");
  });

  test("start --help names every setting's flag, variable and default", async () => {
    const { stdout } = await run(["start", "--help"], {});
    for (const text of [
      "--port <value>",
      "SITEWARD_PORT; 3000",
      "--host <value>",
      "127.0.0.1",
      "DATABASE_URL",
      "LOG_LEVEL",
      "SITEWARD_PUBLIC_URL",
      "SITEWARD_TRUST_PROXY",
    ]) {
      expect(stdout.replace(/\s+/g, " ")).toContain(text);
    }
  });

  test("without arguments exits with 2 and lists the commands", async () => {
    const result = await run([], {});
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    for (const command of ["start", "migrate", "copy", "accounts", "keys", "audit"])
      expect(result.stderr).toContain(command);
  });

  test("--version prints the version", async () => {
    expect(await runProgram(["--version"], {})).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  test("a database that cannot be opened is reported in one line, and exits with 1", async () => {
    const result = await runProgram(["accounts", "list"], { DATABASE_URL: `file:${import.meta.filename}/x.db` });
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr.trim().split("\n")).toEqual([expect.stringContaining("Cannot open the database file")]);
  });
});
