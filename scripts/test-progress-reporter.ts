import type { Reporter, TestModule, TestSpecification } from "vitest/node";
import { readTestDurations, toListedPath, writeTestDurations } from "./test-durations.ts";

/** How often progress is printed, also into a file. */
const intervalMs = 15_000;
/** After how long without any line it is printed earlier. On a terminal, Vitest redraws its own lines. */
const maxSilenceMs = process.stdout.isTTY ? intervalMs : 5_000;
/** With fewer files, the lines of the files themselves say enough. */
const minFiles = 20;
/** How many files are named at the end. */
const slowestCount = 10;

/**
 * Prints how many files are done, how long the others take and which are running, so that no run is silent for long. At the end of a
 * long run, it prints the files that took longest.
 */
export class TestProgressReporter implements Reporter {
  readonly #durations = readTestDurations();
  readonly #measured = new Map<string, number>();
  readonly #waiting = new Set<string>();
  /** The files that have started, with the time. */
  readonly #running = new Map<string, number>();
  #fileCount = 0;
  #startedAtMs = 0;
  #progressAtMs = 0;
  #lineAtMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Called before the global set-up, which builds and starts databases. */
  onInit(): void {
    this.#startedAtMs = performance.now();
    this.#noteProgress();
    this.#timer = setInterval(() => {
      if (performance.now() - this.#lineAtMs >= maxSilenceMs) this.#printProgress();
    }, 1_000).unref();
  }

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#fileCount = files.length;
    for (const { moduleId } of files) this.#waiting.add(toListedPath(moduleId));
    this.#startedAtMs = performance.now();
    this.#noteProgress();
    if (files.length >= minFiles)
      console.log(`${files.length} test files, about ${this.#estimate()} on two quiet cores`);
  }

  onTestModuleStart({ moduleId }: TestModule): void {
    this.#running.set(toListedPath(moduleId), performance.now());
  }

  onTestModuleEnd(module: TestModule): void {
    const path = toListedPath(module.moduleId);
    this.#waiting.delete(path);
    this.#running.delete(path);
    this.#measured.set(path, secondsOf(module));
    // The default reporter prints a line for the file.
    this.#lineAtMs = performance.now();
    const isDue = performance.now() - this.#progressAtMs >= intervalMs;
    if (isDue && this.#fileCount >= minFiles) this.#printProgress();
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
    const slowest = [...this.#measured].toSorted(([, left], [, right]) => right - left);
    if (this.#fileCount >= minFiles) {
      console.log(`The ${slowestCount} slowest files:`);
      for (const [path, seconds] of slowest.slice(0, slowestCount))
        console.log(`${seconds.toFixed(1).padStart(6)} s  ${path}`);
    }
    if (process.env["SITEWARD_TEST_WRITE_DURATIONS"]) writeTestDurations(Object.fromEntries(this.#measured));
  }

  #printProgress(): void {
    this.#noteProgress();
    const passed = toMinutes((performance.now() - this.#startedAtMs) / 1000);
    if (this.#fileCount === 0) {
      console.log(`${passed}: building the server and starting databases`);
      return;
    }
    const done = `${this.#measured.size} of ${this.#fileCount} files, about ${this.#estimate()} left`;
    const running = [...this.#running].map(([path, sinceMs]) => `${path} (${secondsSince(sinceMs)} s)`);
    console.log(`${passed}: ${done}${running.length > 0 ? `; running: ${running.join(", ")}` : ""}`);
  }

  #noteProgress(): void {
    this.#progressAtMs = performance.now();
    this.#lineAtMs = performance.now();
  }

  /** How long the files that wait took when their durations were written, on three workers. */
  #estimate(): string {
    const seconds = [...this.#waiting].reduce((sum, path) => sum + (this.#durations[path] ?? 0) + startSeconds, 0);
    return toMinutes(seconds / 3);
  }
}

/** What a file takes before and after its tests: a process starts and loads it. */
const startSeconds = 0.4;

function secondsOf(module: TestModule): number {
  const { duration, collectDuration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
  const ms = duration + collectDuration + environmentSetupDuration + prepareDuration + setupDuration;
  return Math.round(ms / 100) / 10;
}

function secondsSince(timeMs: number): number {
  return Math.round((performance.now() - timeMs) / 1000);
}

function toMinutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")} min`;
}
