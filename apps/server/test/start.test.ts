import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtempDisposable, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { isWellFormedApiKey } from "@siteward/contract/plain";
import { cliBin, serverBin } from "@siteward/testing/servers/built-programs";
import { describe, expect, test, vi } from "vitest";
import { beginCreate } from "./support/begin-create.ts";
import { describeOnEveryEngine, engines } from "./support/engines.ts";
import { runInProcess } from "./support/run-in-process.ts";
import { runProgram, startProgram } from "./support/run-program.ts";

// What these do does not depend on the engine. Most of them wait. They poll with `vi.waitFor`, because `expect.poll` needs to know
// which test runs.
describe("start", { concurrent: true }, () => {
  const engine = engines.sqlite;

  test("--bootstrap creates the first account and key, prints the key once with commands that work, and never again", async () => {
    await using database = await engine();
    const words = ["start", "--port", "0", "--bootstrap"];
    const environment = { DATABASE_URL: database.databaseUrl };
    const first = startProgram(words, environment);
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
    const headers = { Authorization: `Bearer ${key}` };
    first.child.kill("SIGTERM");
    const firstEnd = await first.ended;
    expect(firstEnd.exitCode).toBe(0);
    expect(firstEnd.stderr).not.toContain(key.slice(0, 13));
    expect(firstEnd.stderr).not.toContain("Warning");

    const second = startProgram(words, environment);
    const again = readUrl(await second.printed("listening on"));
    const website = await fetch(`${again}/api/v1/websites/1`, { headers });
    expect([website.status, website.headers.get("RateLimit-Policy")]).toEqual([200, null]);
    second.child.kill("SIGINT");
    const { exitCode, stdout } = await second.ended;
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain("swk_");
  });

  test("--bootstrap-key-file has the first key, which only its owner can read, and the output has not", async () => {
    await using database = await engine();
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward key's-"));
    const file = join(folder.path, "first-key");
    const environment = { DATABASE_URL: database.databaseUrl };
    const words = ["start", "--port", "0", "--bootstrap", "--bootstrap-key-file", file];
    await using first = startProgram(words, environment);
    const [setKey = "", create = ""] = pastedLines(await first.printed("websites list"));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const key = (await readFile(file, "utf8")).trimEnd();
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(JSON.parse(await paste(`${setKey}\n${create}`)).data.domain).toBe("example.com");
    first.child.kill("SIGTERM");
    const { stdout, stderr } = await first.ended;
    expect(stdout + stderr).not.toContain(key);

    // The line of a service manager stays the same.
    await using second = startProgram([...words, "--json"], environment);
    expect(JSON.parse(await second.printed("\n"))).toEqual({ url: expect.any(String), key: null });
    second.child.kill("SIGTERM");
    expect((await second.ended).exitCode).toBe(0);
    expect((await readFile(file, "utf8")).trimEnd()).toBe(key);
  });

  test("--bootstrap-key-file is never overwritten: the server does not start, and creates no account", async () => {
    await using database = await engine();
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
    const file = join(folder.path, "first-key");
    await writeFile(file, "mine");
    const environment = { DATABASE_URL: database.databaseUrl };
    const words = ["start", "--port", "0", "--bootstrap", "--json", "--bootstrap-key-file"];
    const refused = await runProgram([...words, file], environment);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain(`The file ${file} exists, and is never overwritten. Name a file`);
    expect(refused.stderr).toContain("A start that was killed may have left a blank file: delete it.");
    expect(await readFile(file, "utf8")).toBe("mine");
    expect((await runInProcess(["accounts", "list", "--json"], environment)).stdout).toBe("[]\n");
    await using program = startProgram([...words, `${file}-2`], environment);
    expect(JSON.parse(await program.printed("\n"))).toMatchObject({ key: null, key_file: `${file}-2` });
  });

  test("after the first start, prints a command that creates another key; without an account, also one that creates an account", async () => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl };
    await runInProcess(["migrate"], environment);
    const printed = [];
    for (let start = 0; start < 2; start += 1) {
      await using program = startProgram(["start", "--port", "0"], environment);
      const stdout = await program.printed("keys create");
      const lines = pastedLines(stdout);
      for (const line of lines) await paste(line);
      const named = `${process.execPath} ${serverBin} `;
      printed.push({ stdout, commands: lines.map((line) => line.replace(named, "").split(" --")[0]) });
    }
    expect(printed).toEqual([
      { stdout: expect.stringContaining("has no account"), commands: ["accounts create", "keys create"] },
      { stdout: expect.stringContaining("another API key, run this:"), commands: ["keys create"] },
    ]);
    const { stdout } = await runInProcess(["keys", "list", "--json"], environment);
    expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual(["first key", "another key"]);
  });

  test("on every address, prints only URLs that can be called, and warns of plain HTTP once", async () => {
    await using database = await engine();
    const words = ["start", "--host", "0.0.0.0", "--port", "0", "--bootstrap"];
    await using program = startProgram(words, { DATABASE_URL: database.databaseUrl });
    const url = readUrl(await program.printed(" and on all other addresses of this machine\n"));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    program.child.kill("SIGTERM");
    const { stdout, stderr } = await program.ended;
    expect(new Set(stdout.match(/https?:\/\/[^\s/]+/g))).toEqual(new Set([url]));
    const warning =
      /listens on 0\.0\.0\.0 and speaks plain HTTP, .* set SITEWARD_TRUST_PROXY to the number of proxies/g;
    expect(stderr.match(warning)).toHaveLength(1);
  });

  test("in the log, a client that comes by IPv4 to an address of IPv6 has its own address", async () => {
    await using database = await engine();
    const words = ["start", "--host", "::ffff:127.0.0.1", "--port", "0", "--bootstrap", "--json"];
    await using program = startProgram(words, { DATABASE_URL: database.databaseUrl });
    const { url } = JSON.parse(await program.printed("\n"));
    expect((await fetch(`http://127.0.0.1:${new URL(url).port}/healthz`)).status).toBe(200);
    program.child.kill("SIGTERM");
    expect((await program.ended).stderr).toContain('"remote":"127.0.0.1"');
  });

  test("a log that nobody reads any more stops neither the service nor a graceful stop", async () => {
    await using database = await engine();
    await runInProcess(["migrate"], { DATABASE_URL: database.databaseUrl });
    await using program = startProgram(["start", "--port", "0", "--json"], { DATABASE_URL: database.databaseUrl });
    const { url } = JSON.parse(await program.printed("\n"));
    program.child.stderr.destroy();
    for (let request = 0; request < 3; request += 1) {
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      await sleep(200);
    }
    // A single process stops, because no other could continue.
    program.child.kill("SIGHUP");
    expect((await program.ended).exitCode).toBe(0);
  });
});

test.for(["1", "2"])(
  "a log whose reader hangs does not keep a server of %s processes from its end",
  async (workers) => {
    await using database = await engines.sqlite();
    const words = ["start", "--port", "0", "--bootstrap", "--json", "--workers", workers];
    await using program = startProgram(words, { DATABASE_URL: database.databaseUrl });
    const { url } = JSON.parse(await program.printed("\n"));
    program.child.stderr.pause();
    // Their paths are more than the pipe and the reader hold.
    for (let request = 0; request < 100; request += 1) await fetch(`${url}/${"x".repeat(5_000)}`);
    program.child.kill("SIGTERM");
    expect(await once(program.child, "exit")).toEqual([0, null]);
  },
);

// Next to other tests, it could not be timed.
describeOnEveryEngine("start", (engine) => {
  test("SIGTERM lets the request in progress finish, refuses new ones, writes when keys were used, and exits with 0 at once", async () => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl };
    const startMs = performance.now();
    await using program = startProgram(["start", "--port", "0", "--bootstrap", "--json"], environment);
    const { url, key } = JSON.parse(await program.printed("\n"));
    const startedMs = performance.now() - startMs;
    const answer = await beginCreate(url, key);
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
    const { stdout } = await runInProcess(["keys", "list", "--json"], environment);
    expect(Date.parse(JSON.parse(stdout)[0].last_used_at)).toBeGreaterThan(Date.now() - 30_000);
  });
});

// A server of PostgreSQL writes no files itself.
describe.skipIf(process.platform !== "linux")("start on a full disk", () => {
  test("--bootstrap-key-file that cannot be written creates no account", async () => {
    await using database = await engines.postgres();
    await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
    const file = join(folder.path, "first-key");
    const environment = { DATABASE_URL: database.databaseUrl };
    const words = ["start", "--port", "0", "--bootstrap", "--bootstrap-key-file", file];
    const shell = ["-c", 'ulimit -f 0; exec "$@"', "sh", process.execPath, serverBin, ...words];
    const refused = await promisify(execFile)("sh", shell, { env: environment }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused).toHaveProperty("stderr", expect.stringContaining(`The file ${file} could not be written: EFBIG`));
    expect(existsSync(file)).toBe(false);
    expect((await runInProcess(["accounts", "list", "--json"], environment)).stdout).toBe("[]\n");
  });
});

test.for([
  ["SITEWARD_PORT", "abc"],
  ["SITEWARD_PROT", "4000"],
])("start with a %s that is not valid names it once, and exits with 2", async ([name = "", value = ""]) => {
  const environment = { DATABASE_URL: "file:none.db", SITEWARD_WORKERS: "3", [name]: value };
  expect(await runInProcess(["start"], environment)).toEqual({
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
