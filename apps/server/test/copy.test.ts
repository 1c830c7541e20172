import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { describeOnEveryEngine, engines } from "./support/engines.ts";
import { runInProcess } from "./support/run-in-process.ts";
import { startProgram } from "./support/run-program.ts";
import { fillInstallation } from "./support/storage/fill-installation.ts";
import { readInstallation } from "./support/storage/read-installation.ts";
import type { TestDatabase } from "./support/test-database.ts";

const goOn = "The copy is unfinished. Run the same command again to continue it.";

describeOnEveryEngine("copy", (engine) => {
  test("draws a bar that it removes, and prints a line for each table, or with --json only JSON, the same for a copy of the copy", async () => {
    await using source = await engine();
    await using middle = await engine();
    await using last = await engine();
    await fillInstallation(source.databaseUrl, { websiteCount: 60 });
    const drawn: string[] = [];
    const redraw = (line: string) => drawn.push(line);
    const first = await runInProcess(words(source, middle), {}, { redraw });
    expect(first).toMatchObject({ exitCode: 0, stderr: "" });
    expect(drawn[0]).toBe(`${"█".repeat(24)} 100 %  copying accounts: 4 of 4`);
    expect(drawn.at(-1)).toBe("");
    const [heading, ...lines] = first.stdout.trimEnd().split("\n");
    expect(heading).toMatch(/^TABLE +ROWS +SHA-256$/);
    expect(lines.map((line) => /^(\w+) +(\d+) +[0-9a-f]{64}$/.exec(line)?.slice(1))).toEqual([
      ["accounts", "4"],
      ["api_keys", "30"],
      ["websites", "60"],
      ["audit_entries", "40"],
      ["idempotency_keys", "20"],
      ["account_deletions", "1"],
    ]);
    const second = await runInProcess([...words(middle, last), "--json"], {});
    expect(second).toMatchObject({ exitCode: 0, stderr: "" });
    const result = JSON.parse(second.stdout);
    expect(Object.keys(result)).toEqual(lines.map((line) => line.split(" ")[0]));
    for (const { count, sha256 } of Object.values<{ count: number; sha256: string }>(result)) {
      expect(first.stdout).toMatch(new RegExp(` ${count} +${sha256}\n`));
    }
  });

  test("does not change a destination that has accounts", async () => {
    await using source = await engine();
    await using destination = await engine();
    await fillInstallation(source.databaseUrl, { websiteCount: 60 });
    await fillInstallation(destination.databaseUrl, { websiteCount: 6 });
    const before = await readInstallation(destination.databaseUrl);
    await expectRefusal(words(source, destination), "The destination contains accounts and is not an unfinished copy");
    expect(await readInstallation(destination.databaseUrl)).toEqual(before);
    expect(await destination.findFaults()).toEqual([]);
  });

  test("does not change a database of another program", async () => {
    await using source = await engine();
    await using destination = await engine();
    await fillInstallation(source.databaseUrl, { websiteCount: 6 });
    await destination.execute("create table accounts (name text); insert into accounts values ('theirs')");
    await expectRefusal(
      words(source, destination),
      "another program. Use the database of Siteward, or one that is empty.",
    );
    // Fails if the copy has created one of these tables, or has changed the other.
    await destination.execute("create table schema_migrations (name text); create table websites (name text)");
    await destination.execute("insert into accounts select name || ' still' from accounts");
  });

  test("refuses a source with nothing to copy, or of a newer program, and creates nothing in the destination", async () => {
    await using source = await engine();
    await using destination = await engine();
    await expectRefusal(words(source, destination), "so there is nothing to copy. Check --from.");
    await runInProcess(["migrate"], { DATABASE_URL: source.databaseUrl });
    await expectRefusal(words(source, destination), "The source contains no account, so there is nothing to copy");
    await source.execute("insert into schema_migrations (version, name, applied_at) values (9999, 'later', 0)");
    await expectRefusal(words(source, destination), "The database is at version 9999");
    await expectMigratable(destination);
  });

  test("that is stopped ends soon, says how to resume, and finishes if the same command is run again", async () => {
    await using source = await engine();
    await using destination = await engine();
    await fillInstallation(source.databaseUrl, { websiteCount: 3_000 });
    await stop(source, destination);
    expect((await runInProcess(words(source, destination), {})).exitCode).toBe(0);
    expect(await readInstallation(destination.databaseUrl)).toEqual(await readInstallation(source.databaseUrl));
  });

  test("that is unfinished is refused by every other command, and as the source of a copy", async () => {
    await using source = await engine();
    await using destination = await engine();
    await using other = await engine();
    await fillInstallation(source.databaseUrl, { websiteCount: 60 });
    await stop(source, destination);
    const before = await readInstallation(destination.databaseUrl);
    const environment = { DATABASE_URL: destination.databaseUrl };
    for (const line of ["start --port 0", "migrate", "migrate --dry-run", "accounts list", "keys list"])
      await expectRefusal(line.split(" "), "The database is an unfinished copy", environment);
    await expectRefusal(words(destination, other), "The source is an unfinished copy itself");
    expect(await readInstallation(destination.databaseUrl)).toEqual(before);
    await expectMigratable(other);
  });
});

describe("copy", () => {
  test("stops on SIGINT between embedded databases too, which leave the event loop no pause", async () => {
    await using source = await engines.sqlite();
    await using destination = await engines.sqlite();
    await fillInstallation(source.databaseUrl, { websiteCount: 20_000 });
    await using program = startProgram(words(source, destination), {});
    await expect.poll(() => existsSync(`${pathOf(destination)}-wal`), { timeout: 20_000, interval: 10 }).toBe(true);
    program.signal("SIGINT");
    const { exitCode, stdout, stderr } = await program.ended;
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(`The copy was stopped. ${goOn}`);
    await expectRefusal(["accounts", "list"], "unfinished copy", { DATABASE_URL: destination.databaseUrl });
  });

  test("of a file that another process keeps writing to says what to do", async () => {
    await using source = await engines.sqlite();
    await using destination = await engines.sqlite();
    await fillInstallation(source.databaseUrl, { websiteCount: 6 });
    using other = new DatabaseSync(pathOf(source));
    other.exec("begin immediate");
    const reason =
      "The source cannot be locked: database is locked. " +
      `Stop the servers that write to it, and use a user who may lock its tables. ${goOn}`;
    await expectRefusal(words(source, destination), reason);
    other.exec("rollback");
    expect((await runInProcess(words(source, destination), {})).exitCode).toBe(0);
  });

  test("of a file that does not exist is refused by its path, and creates neither file", async () => {
    await using source = await engines.sqlite();
    await using destination = await engines.sqlite();
    const reason = `The database file ${pathOf(source)} does not exist, so there is nothing to copy. Check --from.`;
    await expectRefusal(words(source, destination), reason);
    expect([source, destination].map((database) => existsSync(pathOf(database)))).toEqual([false, false]);
  });

  test("to a server that does not answer is refused, and the error does not contain the password", async () => {
    await using source = await engines.sqlite();
    await fillInstallation(source.databaseUrl, { websiteCount: 6 });
    const to = "postgres://siteward:secret@127.0.0.1:1/siteward";
    await expectRefusal(
      ["copy", "--from", source.databaseUrl, "--to", to],
      "Cannot open the PostgreSQL database siteward",
    );
  });
});

function words(source: TestDatabase, destination: TestDatabase): string[] {
  return ["copy", "--from", source.databaseUrl, "--to", destination.databaseUrl];
}

/** Starts a copy that is stopped at once. */
async function stop(source: TestDatabase, destination: TestDatabase): Promise<void> {
  const onSignal = (_signal: string, listener: () => void) => {
    queueMicrotask(listener);
    return () => undefined;
  };
  const result = await runInProcess(words(source, destination), {}, { onSignal });
  expect(result).toEqual({ exitCode: 1, stdout: "", stderr: `The copy was stopped. ${goOn}\n` });
}

async function expectRefusal(line: readonly string[], reason: string, environment: Record<string, string> = {}) {
  const result = await runInProcess(line, environment);
  expect(result).toMatchObject({ exitCode: 1, stdout: "" });
  expect(result.stderr.trim().split("\n")).toEqual([expect.stringContaining(reason)]);
  expect(result.stderr).not.toContain("secret");
}

/** Checks that nothing was created in it, not even the table of versions. */
async function expectMigratable(database: TestDatabase): Promise<void> {
  const { stdout } = await runInProcess(["migrate", "--dry-run", "--json"], { DATABASE_URL: database.databaseUrl });
  expect(JSON.parse(stdout).from).toBe(0);
}

function pathOf({ databaseUrl }: TestDatabase): string {
  return databaseUrl.slice("file:".length);
}
