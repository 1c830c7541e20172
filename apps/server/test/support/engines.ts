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

const onThread: TestEngine = async (options) => ({ ...(await engines.sqlite(options)), writesOnThread: true });

/**
 * Every engine, and an embedded one in both ways: a server writes on a thread of its own, and an operator's command does not.
 */
export const databases = { ...engines, "sqlite, written on a thread": onThread } satisfies Record<string, TestEngine>;

/** Runs the same tests on every engine, and on an embedded one in both ways. */
export function describeOnEveryDatabase(name: string, promises: (engine: TestEngine) => void): void {
  describeOnEach(databases, name, promises);
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
