import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";

const openTestRun = new URL("../../../scripts/test-run/open-test-run.ts", import.meta.url);
/** Only Linux shows when a process started, and its environment. */
const showsProcesses = process.platform === "linux";
const isRoot = process.getuid?.() === 0;
/** The user "nobody" exists on every Unix. */
const nobody = 65534;

describe("a run of the tests", { concurrent: true }, () => {
  test.runIf(showsProcesses)("removes what a killed run left if another process has its ID now", async () => {
    using place = createPlace();
    const owner = await killRun(place);
    leave(place, "siteward-test-reused", { ...owner, processId: process.pid });
    await openRun(place);
    expect(place.folders()).toEqual([]);
  });

  test.runIf(showsProcesses)("ends the processes of a killed run, and no others", async () => {
    using place = createPlace();
    const owner = await killRun(place);
    const killed = leave(place, "siteward-test-killed", owner);
    // This name is the beginning of the name of each run.
    leave(place, "siteward-test-", owner);
    const startWith = (TMPDIR: string) =>
      startScript({ ...place, folder: TMPDIR }, "console.log('runs'); setInterval(() => {}, 1_000);");
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
    leave(place, "siteward-test-machin", { ...owner, host: "another.example" });
    leave(place, "siteward-test-contai", { ...owner, namespace: "pid:[1]" });
    symlinkSync(leave(place, "elsewhere", owner), join(place.folder, "siteward-test-linked"));
    // Only root can create a folder of another user.
    if (isRoot) chownSync(leave(place, "siteward-test-others", owner), nobody, nobody);
    const before = place.folders();
    await openRun(place);
    expect(place.folders()).toEqual(before);
  });

  test("says what it cannot remove, and starts", async () => {
    using place = createPlace();
    const kept = leave(place, "siteward-test-kept00", await killRun(place));
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

/** Creates folders in which runs put everything that they write. */
function createPlace() {
  const [folder, memory] = [
    mkdtempSync(join(tmpdir(), "siteward-runs-")),
    mkdtempSync(join(tmpdir(), "siteward-memory-")),
  ];
  return {
    folder,
    memory,
    folders: () => readdirSync(folder),
    [Symbol.dispose]: () => {
      for (const path of [folder, memory]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Leaves a folder as a killed run does, and returns its path. */
function leave({ folder }: Place, name: string, owner: object): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, "owner.json"), JSON.stringify(owner));
  return path;
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
function startScript({ folder, memory }: Pick<Place, "folder" | "memory">, code: string) {
  const imports = `import { openTestRun } from ${JSON.stringify(openTestRun)};`;
  const env = { ...process.env, TMPDIR: folder, SITEWARD_TEST_MEMORY: memory };
  const script = spawn(process.execPath, ["--input-type=module", "--eval", imports + code], { env });
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
