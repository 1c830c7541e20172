import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTerminal } from "@siteward/testing/open-terminal";
import { describe, expect, test, vi } from "vitest";
import { newcomerEnvironment } from "./support/newcomer-environment.ts";

const rootUrl = new URL("../../../", import.meta.url);
const root = fileURLToPath(rootUrl);
const program = join(root, "scripts/test.ts");
/** Tests that need the databases that all tests of the server share. */
const chosen = "postgres-audit-plans";

const isRoot = process.getuid?.() === 0;
/** Only Linux shows the environment of processes, so only there the next run ends what a killed one started. */
const showsProcesses = process.platform === "linux";
/** The user "nobody" exists on every Unix. */
const nobody = 65534;

// Each run starts a PostgreSQL of its own, and mostly waits for it.
describe("pnpm test", { concurrent: true }, () => {
  test("leaves no process and no folder behind after Ctrl-C while it builds, and ends with 130", async () => {
    using place = createPlace();
    using terminal = openTerminal([process.execPath, program, chosen], { env: place.environment, folder: root });
    await terminal.waitFor("▶ Building");
    expect(place.folders()).toHaveLength(1);
    terminal.type("\u0003");
    expect(await terminal.exitCode).toBe(130);
    expect(place.left()).toEqual([]);
  });

  test("leaves no process and no folder behind after Ctrl-C while it tests", async () => {
    using place = createPlace();
    using terminal = openTerminal([process.execPath, program, chosen], { env: place.environment, folder: root });
    await place.untilPostgresRuns();
    terminal.type("\u0003");
    expect(await terminal.exitCode).toBe(130);
    expect(place.left()).toEqual([]);
  });

  test("leaves no process and no folder behind after Ctrl-C on a system that does not show its processes", async () => {
    using place = createPlace();
    const asOnMac = 'data:text/javascript,Object.defineProperty(process, "platform", { value: "darwin" })';
    const command = [process.execPath, "--import", asOnMac, program, chosen] as const;
    using terminal = openTerminal(command, { env: place.environment, folder: root });
    await place.untilPostgresRuns();
    terminal.type("\u0003");
    expect(await terminal.exitCode).toBe(130);
    await vi.waitUntil(() => place.left().length === 0);
  });

  test("leaves no process and no folder behind after the terminal was closed", async () => {
    using place = createPlace();
    const run = startRun(place);
    await place.untilPostgresRuns();
    await run.end("SIGHUP");
    expect(place.left()).toEqual([]);
  });

  test.runIf(showsProcesses)("removes what a run left that was killed with SIGKILL", async () => {
    using place = createPlace();
    const killed = startRun(place);
    await place.untilPostgresRuns();
    await killed.end("SIGKILL");
    const left = place.left();
    expect(left).toContainEqual(expect.stringContaining("postgres"));
    const next = startRun(place, "no-such-file");
    await vi.waitUntil(() => !place.left().some((name) => left.includes(name)), { timeout: 60_000 });
    await next.end("SIGTERM");
    expect(place.left()).toEqual([]);
  });

  test("removes what a killed run left if another process has its ID now", async () => {
    using place = createPlace();
    const owner = await killRun(place);
    place.leave("siteward-test-reused", { ...owner, processId: process.pid });
    await openRun(place);
    expect(place.folders()).toEqual([]);
  });

  test.runIf(showsProcesses)("ends the processes of a killed run, and no others", async () => {
    using place = createPlace();
    const owner = await killRun(place);
    const killed = place.leave("siteward-test-killed", owner);
    // This name is the beginning of the name of each run.
    place.leave("siteward-test-", owner);
    const startWith = (TMPDIR: string) =>
      startScript(
        { environment: { ...place.environment, TMPDIR } },
        "console.log('runs'); setInterval(() => {}, 1_000);",
      );
    await using ofRun = startWith(killed);
    await using deeper = startWith(join(killed, "deeper"));
    await using other = startWith(`${killed}2`);
    await Promise.all([ofRun, deeper, other].map((script) => script.waitFor("runs")));
    await openRun(place);
    expect(await Promise.all([ofRun.ended, deeper.ended])).toEqual(["SIGKILL", "SIGKILL"]);
    expect(other.isRunning()).toBe(true);
    expect(place.folders()).toEqual(["siteward-test-"]);
  });

  test("leaves runs alone that it cannot judge, or that are running", async () => {
    using place = createPlace();
    const owner = await killRun(place);
    await using running = startScript(place, "openTestRun(); console.log('runs'); setInterval(() => {}, 1_000);");
    await running.waitFor("runs");
    place.leave("siteward-test-machin", { ...owner, host: "another.example" });
    place.leave("siteward-test-contai", { ...owner, namespace: "pid:[1]" });
    symlinkSync(place.leave("elsewhere", owner), join(place.folder, "siteward-test-linked"));
    // Only root can create a folder of another user.
    if (isRoot) chownSync(place.leave("siteward-test-others", owner), nobody, nobody);
    const before = place.folders();
    await openRun(place);
    expect(place.folders()).toEqual(before);
  });

  test("says what it cannot remove, and starts", async () => {
    using place = createPlace();
    const kept = place.leave("siteward-test-kept00", await killRun(place));
    // Nothing stops root, so it becomes another user.
    if (isRoot) for (const path of [kept, place.folder, place.memory]) chownSync(path, nobody, nobody);
    chmodSync(kept, 0o555);
    await using run = startScript(place, `${isRoot ? `process.setuid(${nobody});` : ""} openTestRun();`);
    expect(await run.ended).toBe(0);
    expect(run.output()).toContain(`What tests wrote to ${kept} could not be removed (EACCES`);
    chmodSync(kept, 0o755);
  });
});

type Place = ReturnType<typeof createPlace>;

/** Creates a folder in which runs put everything that they write. */
function createPlace() {
  const folder = mkdtempSync(join(tmpdir(), "siteward-interrupted-"));
  const memory = join(folder, "memory");
  mkdirSync(memory);
  // PostgreSQL runs as another user if this is root.
  for (const path of [folder, memory]) chmodSync(path, 0o711);
  const PATH = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  const added = { TMPDIR: folder, SITEWARD_TEST_MEMORY: memory, SITEWARD_TEST_POSTGRES_URL: "" };
  const given = Object.entries({ ...newcomerEnvironment(added), PATH });
  const environment = Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const folders = () => readdirSync(folder).filter((name) => name !== "memory");
  return {
    environment,
    folder,
    memory,
    folders,
    /** Returns the folders that are left, and the names of the processes. */
    left: () => [...folders(), ...readdirSync(memory), ...readProcesses(folder)],
    /** Leaves a folder as a killed run does, and returns its path. */
    leave: (name: string, owner: object): string => {
      const path = join(folder, name);
      mkdirSync(path);
      writeFileSync(join(path, "owner.json"), JSON.stringify(owner));
      return path;
    },
    untilPostgresRuns: () => vi.waitUntil(() => findPostgres(memory) === "ready", { timeout: 60_000 }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Returns the state of PostgreSQL, which is the last word of this file. While its data folder is created, the file comes and goes. */
function findPostgres(memory: string): string | undefined {
  try {
    const [path = ""] = globSync(join(memory, "*/siteward-postgres-*/data/postmaster.pid"));
    return readFileSync(path, "utf8").trimEnd().split("\n").at(-1)?.trim();
  } catch {
    return undefined;
  }
}

function startRun({ environment }: Place, part = chosen) {
  const run = spawn(process.execPath, [program, part], { cwd: root, env: environment, stdio: "ignore" });
  const ended = once(run, "exit");
  return {
    /** Sends a signal, and waits until the run has ended. */
    end: async (signal: NodeJS.Signals): Promise<void> => {
      run.kill(signal);
      await ended;
    },
  };
}

/** Opens a run that ends at once. */
async function openRun(place: Place): Promise<void> {
  await using run = startScript(place, "openTestRun();");
  expect(await run.ended).toBe(0);
}

/** Opens a run, kills it, and returns what it said about its owner. */
async function killRun(place: Place): Promise<object> {
  await using run = startScript(place, "openTestRun(); process.kill(process.pid, 'SIGKILL');");
  expect(await run.ended).toBe("SIGKILL");
  const [name = ""] = place.folders();
  const owner = JSON.parse(readFileSync(join(place.folder, name, "owner.json"), "utf8"));
  for (const folder of [place.folder, place.memory]) rmSync(join(folder, name), { recursive: true });
  return owner;
}

/** Starts a program that can open a run. */
function startScript({ environment }: Pick<Place, "environment">, code: string) {
  const imports = `import { openTestRun } from ${JSON.stringify(new URL("scripts/test-run/open-test-run.ts", rootUrl))};`;
  const script = spawn(process.execPath, ["--input-type=module", "--eval", imports + code], { env: environment });
  let output = "";
  for (const stream of [script.stdout, script.stderr])
    stream.on("data", (chunk) => {
      output += String(chunk);
    });
  const ended = once(script, "close").then(([status, signal]) => status ?? signal);
  return {
    /** Resolves with the exit code, or with the signal that ended it. */
    ended,
    output: () => output,
    isRunning: () => script.exitCode === null && script.signalCode === null,
    waitFor: (text: string) => vi.waitUntil(() => output.includes(text), { timeout: 10_000 }),
    [Symbol.asyncDispose]: async () => {
      script.kill("SIGKILL");
      await ended;
    },
  };
}

/** Returns the names and IDs of the processes whose environment or command line names a folder. Only Linux tells. */
function readProcesses(folder: string): string[] {
  if (!showsProcesses) return [];
  return readdirSync("/proc").flatMap((id) => {
    try {
      const said = [`/proc/${id}/environ`, `/proc/${id}/cmdline`].map((path) => readFileSync(path, "utf8")).join("");
      return said.includes(folder) ? [`${readFileSync(`/proc/${id}/comm`, "utf8").trim()} ${id}`] : [];
    } catch {
      return [];
    }
  });
}
