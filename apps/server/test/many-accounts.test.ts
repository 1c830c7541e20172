import { expect, test } from "vitest";
import { describeOnEveryEngine, engines, type TestEngine } from "./support/engines.ts";
import { startProgram } from "./support/run-program.ts";
import { startTestServer } from "./support/test-server.ts";

const createAccounts = "accounts create --stdin";
const createKeys = "keys create --stdin --name api";
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const accountLines = (count: number) => numbers(count).map((number) => `Kunde ${number}\tops-${number}@example.com\n`);

describeOnEveryEngine("lines of standard input", (engine) => {
  test("create 1,000 accounts and a key for each, which is that of its account", async () => {
    await using server = await startTestServer(engine);
    const created = await server.run(createAccounts, accountLines(1_000).join(""));
    // The server has the first account.
    const lines = numbers(1_000).map((number) => `${number + 1}\tKunde ${number}\tops-${number}@example.com\n`);
    expect(created).toEqual({ exitCode: 0, stdout: lines.join(""), stderr: "" });
    const ids = numbers(1_000).map((number) => `${number + 1}`);
    const keys = linesOf(await server.run(`${createKeys} --scopes account:read`, ids.join("\n")));
    expect(keys.map((line) => line.split("\t")[0])).toEqual(ids);
    for (const at of [0, 99, 100, 999]) {
      const key = keys[at]?.split("\t")[1] ?? "";
      const { account } = await server.call("GET", "/api/v1/account", { key });
      expect(account).toMatchObject({ id: at + 2, name: `Kunde ${at + 1}`, api_key: { name: "api" } });
      const { data } = await server.operate(`audit --account ${at + 2}`);
      expect(data).toMatchObject([{ action: "api_key.created" }, { action: "account.created" }]);
    }
    expect(await server.findFaults()).toEqual([]);
  });

  test("print one line of JSON each with --json, and may have a limit, blank lines and ends of Windows", async () => {
    await using database = await engine();
    const input = "\ufeffMüller & Co\tops@example.com\t5\r\n\r\n  B\tb@example.com\t\r\n";
    const accounts = await database.run(`${createAccounts} --website-limit 7 --json`, input);
    expect(linesOf(accounts).map((line) => JSON.parse(line))).toMatchObject([
      { id: 1, name: "Müller & Co", email: "ops@example.com", websites: { count: 0, limit: 5 } },
      { id: 2, name: "B", websites: { limit: 7 } },
    ]);
    const keys = linesOf(await database.run(`${createKeys} --json`, "2\r\n\r\n1\r\n"));
    expect(keys.map((line) => JSON.parse(line))).toMatchObject([{ account_id: 2 }, { account_id: 1 }]);
  });

  test("create nothing if one of them is wrong, and each wrong one is named by its number", async () => {
    await using database = await engine();
    const wrong = "A,a@example.com\n\nB\tb@example.com\nC\tnonsense\nD\td@example.com\t-1\n\u0007E\te@example.com\n";
    const latin1 = Buffer.from("M\xfcller\tm@example.com\n", "latin1").toString("utf8");
    const accounts = await database.run(createAccounts, `${wrong}${latin1}`);
    expect(accounts).toMatchObject({ exitCode: 2, stdout: "" });
    expect(accounts.stderr.split("\n")).toEqual([
      "Line 1: Send a name, a tab and an e-mail address.",
      'Line 4: email is "nonsense". Use an address such as ops@example.com.',
      'Line 5: website-limit is "-1". Use a whole number of at least 0.',
      'Line 6: name is "\\u0007E". Use 1 to 200 characters on one line.',
      "Line 7: This is not UTF-8. Save the list as UTF-8.",
      "Nothing was created.",
      "",
    ]);
    await database.run(createAccounts, accountLines(150).join(""));
    const secret = `swk_${"a".repeat(38)}`;
    const keys = await database.run(createKeys, `${numbers(150).join("\n")}\n99999\n${secret}\n`);
    expect(keys).toMatchObject({ exitCode: 2, stdout: "" });
    expect(keys.stderr).toMatch(/^Line 151: Account 99999 does not exist .*\nLine 152: account is "swk_aaaaaaaa…"/);
    expect(keys.stderr).not.toContain(secret);
    expect(await database.operate("keys list")).toEqual([]);
    expect(await database.operate("accounts list")).toHaveLength(150);
  });

  test.for([
    ["SIGKILL", 100],
    ["SIGTERM", 0],
  ] as const)(
    "that %s cuts are printed as far as they are done, but for at most %i",
    async ([signal, most], { expect }) => {
      const { printed, stored, stderr } = await cut(engine, signal);
      expect(printed.length).toBeGreaterThan(0);
      expect(printed.length).toBeLessThan(lineCountOf(engine));
      expect(stored.slice(0, printed.length)).toEqual(printed);
      expect(stored.length - printed.length).toBeLessThanOrEqual(most);
      expect(stored.length % 100).toBe(0);
      if (most > 0) return;
      expect(stderr).toBe(`The lines before line ${printed.length + 1} are done, and printed.\nStopped by a signal.\n`);
    },
  );
});

/** More than are created before the signal comes. On PostgreSQL, to find the account of each line takes longer, and so does each key. */
const lineCountOf = (engine: TestEngine) => (engine === engines.postgres ? 5_000 : 20_000);

/** Sends a signal once the first keys are printed. Returns the prefixes that were printed, and those in the database. */
async function cut(engine: TestEngine, signal: NodeJS.Signals) {
  await using database = await engine();
  await database.run(createAccounts, "A\ta@example.com\n");
  await using program = startProgram(createKeys.split(" "), database.environment, {
    stdin: "1\n".repeat(lineCountOf(engine)),
  });
  await program.printed("\n");
  program.child.kill(signal);
  const ended = await program.ended;
  const printed = linesOf(ended).map((line) => line.slice(2, 14));
  const keys: readonly { readonly prefix: string }[] = await database.operate("keys list");
  return { printed, stored: keys.map(({ prefix }) => prefix), stderr: ended.stderr };
}

function linesOf({ stdout }: { readonly stdout: string }): string[] {
  return stdout.split("\n").slice(0, -1);
}

test("a list that is wrong does not create the database", async () => {
  await using database = await engines.sqlite();
  expect(await database.run(createAccounts, "A\n")).toMatchObject({ exitCode: 2 });
  const { stderr } = await database.run("accounts list");
  expect(stderr).toContain("does not exist");
});
