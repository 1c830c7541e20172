import type { Reporter, TestModule, TestSpecification } from "vitest/node";
import { readTestDurations, toListedPath, writeTestDurations } from "./test-durations.ts";

/** How often progress is printed, also into a file. */
const intervalMs = 15_000;
/** With fewer files, the lines of the files themselves say enough. */
const minFiles = 20;
/** How many files are named at the end. */
const slowestCount = 10;

/** Prints how many files of a long run are done and how long the others take, and at the end, the files that took longest. */
export class TestProgressReporter implements Reporter {
  readonly #durations = readTestDurations();
  readonly #measured = new Map<string, number>();
  readonly #waiting = new Set<string>();
  #fileCount = 0;
  #startedAtMs = 0;
  #printedAtMs = 0;

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#fileCount = files.length;
    for (const { moduleId } of files) this.#waiting.add(toListedPath(moduleId));
    this.#startedAtMs = performance.now();
    this.#printedAtMs = performance.now();
    if (files.length >= minFiles)
      console.log(`${files.length} test files, about ${this.#estimate()} on two quiet cores`);
  }

  onTestModuleEnd(module: TestModule): void {
    const path = toListedPath(module.moduleId);
    this.#waiting.delete(path);
    this.#measured.set(path, secondsOf(module));
    const isDue = performance.now() - this.#printedAtMs >= intervalMs;
    if (!isDue || this.#fileCount < minFiles) return;
    this.#printedAtMs = performance.now();
    const passed = toMinutes((performance.now() - this.#startedAtMs) / 1000);
    console.log(`${passed}: ${this.#measured.size} of ${this.#fileCount} files, about ${this.#estimate()} left`);
  }

  onTestRunEnd(): void {
    const slowest = [...this.#measured].toSorted(([, left], [, right]) => right - left);
    if (this.#fileCount >= minFiles) {
      console.log(`The ${slowestCount} slowest files:`);
      for (const [path, seconds] of slowest.slice(0, slowestCount))
        console.log(`${seconds.toFixed(1).padStart(6)} s  ${path}`);
    }
    if (process.env["SITEWARD_TEST_WRITE_DURATIONS"]) writeTestDurations(Object.fromEntries(this.#measured));
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

function toMinutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")} min`;
}
