import type { Reporter, TestModule } from "vitest/node";

/** Prints one plain line at the end of a run, for programs that read the output of tests. */
export class TestCountReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== "pending") counts[state] += 1;
      }
      // If a hook fails, its tests do not run and are not counted.
      const groups = [module, ...module.children.allSuites()];
      counts.failed += groups.filter((group) => group.errors().length > 0).length;
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}
