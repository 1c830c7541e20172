import { describe } from "vitest";
import { engines, type TestEngine } from "./test-database.ts";

export { engines };

/** Runs the same tests on every engine. */
export function describeOnEveryEngine(name: string, promises: (engine: TestEngine) => void): void {
  describeOnEach(engines, name, promises);
}

/**
 * Runs the same tests on every engine, some of them at the same time. For tests that mostly wait and share nothing. They poll
 * with `vi.waitFor`, because `expect.poll` needs to know which test runs.
 */
export function describeOnEveryEngineAtOnce(name: string, promises: (engine: TestEngine) => void): void {
  describeOnEach(engines, name, promises, { concurrent: true });
}

/** Runs the same tests with each of these, whose names are in the names of the tests. */
function describeOnEach<Tested>(
  tested: Readonly<Record<string, Tested>>,
  name: string,
  promises: (tested: Tested) => void,
  options: { readonly concurrent?: boolean } = {},
): void {
  for (const [testedName, one] of Object.entries(tested))
    describe(`${name} (${testedName})`, options, () => promises(one));
}
