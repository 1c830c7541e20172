import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtempDisposable, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isWellFormedApiKey } from "@siteward/contract/plain";
import { cliBin, serverBin } from "@siteward/testing/servers/built-programs";
import { describe, expect, test, vi } from "vitest";
import { beginCreate } from "./support/begin-create.ts";
import { engines } from "./support/engines.ts";
import { runDoctor } from "./support/run-doctor.ts";
import { runInProcess } from "./support/run-in-process.ts";
import { startProgram } from "./support/run-program.ts";

// What these do does not depend on the engine. Most of them wait. They poll with `vi.waitFor`, because `expect.poll` needs to know
// which test runs.
describe("start", { concurrent: true }, () => {
  const words = ["start", "--port", "0", "--bootstrap"];

  test("--bootstrap creates the first account and key, prints the key once with commands that work, and then how to create another", async () => {
    await using database = await engines.sqlite();
    await using first = startProgram(words, database.environment);
    const welcome = await first.printed("websites list");
    const url = readUrl(welcome);
    const key = /swk_\w+/.exec(welcome)?.[0] ?? "";
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(welcome).toContain("Created the first account and its API key, which has no rate limit.");
    expect(welcome.split("swk_")).toHaveLength(2);
    const [setKey = "", create = "", list = ""] = pastedLines(welcome);
    expect(JSON.parse(await paste(`${setKey}\n${create}`)).data.domain).toBe("example.com");
    // The name of a package that nobody has published yet would run whatever somebody else puts there.
    expect(list).toBe(`SITEWARD_BASE_URL=${url} ${process.execPath} ${cliBin} websites list`);
    expect(JSON.parse(await paste(`${setKey}\n${list}`))).toMatchObject([{ domain: "example.com" }]);
    expect((await runDoctor(database.databaseUrl)).faults).not.toContainEqual(expect.stringContaining("never expire"));
    first.child.kill("SIGTERM");
    const firstEnd = await first.ended;
    expect(firstEnd.exitCode).toBe(0);
    expect(firstEnd.stderr).not.toContain(key.slice(0, 13));
    expect(firstEnd.stderr).not.toContain("Warning");

    await using second = startProgram(words, database.environment);
    const again = await second.printed("keys create");
    const headers = { Authorization: `Bearer ${key}` };
    const website = await fetch(`${readUrl(again)}/api/v1/websites/1`, { headers });
    expect([website.status, website.headers.get("RateLimit-Policy")]).toEqual([200, null]);
    expect(again).toContain("another API key, run this:");
    for (const line of pastedLines(again)) await paste(line);
    second.child.kill("SIGINT");
    const { exitCode, stdout } = await second.ended;
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain("swk_");
    expect(await database.operate("keys list")).toMatchObject([{ name: "first key" }, { name: "another key" }]);
  });

  test("--bootstrap-key-file has the first key, which only its owner can read, and the output has not; on every address, it prints only URLs that can be called, and warns of plain HTTP once", async () => {
    await using database = await engines.sqlite();
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward key's-"));
    const file = join(folder.path, "first-key");
    const withFile = [...words, "--bootstrap-key-file", file];
    await using first = startProgram([...withFile, "--host", "0.0.0.0"], database.environment);
    const welcome = await first.printed("websites list");
    expect(welcome).toContain(" and on all other addresses of this machine\n");
    const [setKey = "", create = ""] = pastedLines(welcome);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const key = (await readFile(file, "utf8")).trimEnd();
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(JSON.parse(await paste(`${setKey}\n${create}`)).data.domain).toBe("example.com");
    first.child.kill("SIGTERM");
    const { stdout, stderr } = await first.ended;
    expect(stdout + stderr).not.toContain(key);
    expect(new Set(stdout.match(/https?:\/\/[^\s/]+/g))).toEqual(new Set([readUrl(welcome)]));
    const warning =
      /listens on 0\.0\.0\.0 and speaks plain HTTP, .* set SITEWARD_TRUST_PROXY to the number of proxies/g;
    expect(stderr.match(warning)).toHaveLength(1);

    // The line of a service manager stays the same.
    await using second = startProgram([...withFile, "--json"], database.environment);
    expect(JSON.parse(await second.printed("\n"))).toEqual({ url: expect.any(String), key: null });
    second.child.kill("SIGTERM");
    expect((await second.ended).exitCode).toBe(0);
    expect((await readFile(file, "utf8")).trimEnd()).toBe(key);
  });

  test("--bootstrap-key-file is never overwritten: the server does not start, and creates no account", async () => {
    await using database = await engines.sqlite();
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
    const file = join(folder.path, "first-key");
    await writeFile(file, "mine");
    const refused = await database.run([...words, "--json", "--bootstrap-key-file", file]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain(`The file ${file} exists, and is never overwritten. Name a file`);
    expect(refused.stderr).toContain("If a start that was killed left it, its key does not work: delete it.");
    expect(await readFile(file, "utf8")).toBe("mine");
    expect(await database.operate("accounts list")).toEqual([]);
  });

  test("without an account, prints commands that create it and a key, and a log that nobody reads any more stops neither the service nor a graceful stop", async () => {
    await using database = await engines.sqlite({ isMigrated: true });
    await using program = startProgram(["start", "--port", "0"], database.environment);
    const help = await program.printed("keys create");
    expect(help).toContain("has no account");
    program.child.stderr.destroy();
    for (const line of pastedLines(help)) {
      await paste(line);
      expect((await fetch(`${readUrl(help)}/healthz`)).status).toBe(200);
    }
    expect(await database.operate("keys list")).toMatchObject([{ account_id: 1, name: "first key" }]);
    // A single process stops, because no other could continue.
    program.child.kill("SIGHUP");
    expect((await program.ended).exitCode).toBe(0);
  });

  test.for(["1", "2"])(
    "a log whose reader hangs does not keep a server of %s processes from its end",
    async (workers, { expect }) => {
      await using database = await engines.sqlite();
      await using program = startProgram([...words, "--json", "--workers", workers], database.environment);
      const { url } = JSON.parse(await program.printed("\n"));
      program.child.stderr.pause();
      // Their paths are more than the pipe and the reader hold.
      for (let request = 0; request < 100; request += 1) await fetch(`${url}/${"x".repeat(5_000)}`);
      program.child.kill("SIGTERM");
      expect(await once(program.child, "exit")).toEqual([0, null]);
    },
  );
});

// Next to other tests, it could not be timed.
test("SIGTERM lets the request in progress finish, refuses new ones, writes when keys were used, and exits with 0 at once", async () => {
  await using database = await engines.sqlite();
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
  const keyFile = ["--bootstrap-key-file", join(folder.path, "first-key")];
  const startMs = performance.now();
  await using program = startProgram(
    ["start", "--port", "0", "--bootstrap", ...keyFile, "--json"],
    database.environment,
  );
  const { url, key, key_file } = JSON.parse(await program.printed("\n"));
  const startedMs = performance.now() - startMs;
  expect(key).toBeNull();
  const answer = await beginCreate(url, (await readFile(key_file, "utf8")).trimEnd());
  program.child.kill("SIGTERM");
  const isRefused = () =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    );
  await vi.waitUntil(isRefused, { timeout: 60_000 });
  // It comes twice if it is sent to the process group of pnpm, which passes it on.
  program.child.kill("SIGTERM");
  const finishMs = performance.now();
  answer.finish();
  expect((await answer.received).website.domain).toBe("example.com");
  expect((await program.ended).exitCode).toBe(0);
  expect(performance.now() - finishMs).toBeLessThan(3 * startedMs);
  const [used] = await database.operate("keys list");
  expect(Date.parse(used.last_used_at)).toBeGreaterThan(Date.now() - 30_000);
});

// A server of PostgreSQL writes no files itself.
describe.skipIf(process.platform !== "linux")("start on a full disk", () => {
  test("--bootstrap-key-file that cannot be written creates no account", async () => {
    await using database = await engines.postgres();
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
    const file = join(folder.path, "first-key");
    const words = ["start", "--port", "0", "--bootstrap", "--bootstrap-key-file", file];
    const shell = ["-c", 'ulimit -f 0; exec "$@"', "sh", process.execPath, serverBin, ...words];
    const refused = await promisify(execFile)("sh", shell, { env: database.environment }).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused).toHaveProperty("stderr", expect.stringContaining(`The file ${file} could not be written: EFBIG`));
    expect(existsSync(file)).toBe(false);
    expect(await database.operate("accounts list")).toEqual([]);
  });
});

test.for([
  ["SITEWARD_PORT", "abc"],
  ["SITEWARD_PROT", "4000"],
])("start with a %s that is not valid names it once, and exits with 2", async ([name = "", value = ""]) => {
  const environment = { DATABASE_URL: "file:none.db", SITEWARD_WORKERS: "3", [name]: value };
  expect(await runInProcess("start", environment)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringMatching(new RegExp(`^[^\n]*${name}[^\n]*\n$`)),
  });
});

/** The lines that a user pastes. */
function pastedLines(welcome: string): string[] {
  return [...welcome.matchAll(/^ {2}(.*)$/gm)].map(([, line = ""]) => line);
}

/** Runs lines in a shell, in another folder than ours, and returns what they print. */
async function paste(lines: string): Promise<string> {
  const quietLines = lines.replace("curl ", "curl --silent --show-error ");
  const { stdout } = await promisify(execFile)("sh", ["-c", quietLines], { cwd: "/" });
  return stdout;
}

function readUrl(welcome: string): string {
  return /listening on (http:\S+)/.exec(welcome)?.[1] ?? "";
}
