import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTerminal } from "@siteward/testing/open-terminal";
import { describe, expect, test, vi } from "vitest";
import { newcomerEnvironment } from "./support/newcomer-environment.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const program = join(root, "scripts/test.ts");
/** Tests that need the databases that all tests of the server share. */
const chosen = "postgres-audit-plans";
/** Only Linux shows the environment of processes, so only there the next run ends what a killed one started. */
const showsProcesses = process.platform === "linux";

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
    folders,
    /** Returns the folders that are left, and the names of the processes. */
    left: () => [...folders(), ...readdirSync(memory), ...readProcesses(folder)],
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
