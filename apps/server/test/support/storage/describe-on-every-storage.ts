import { databases, describeOnEach } from "../engines.ts";
import type { TestEngine } from "../test-database.ts";
import type { OpenAnyStorage } from "./any-storage.ts";
import { openMemory } from "./open-memory.ts";
import { openTwice } from "./open-twice.ts";

/**
 * Runs the same tests on every storage of the service: in memory, and on the databases of `describeOnEveryDatabase`, which
 * two processes have opened. They use what the operations use. A test that needs more of a database does not compile.
 */
export function describeOnEveryStorage(name: string, promises: (open: OpenAnyStorage) => void): void {
  const opened = Object.entries<TestEngine>(databases).map(([engineName, engine]) => {
    const open: OpenAnyStorage = (options) => openTwice(engine, options);
    return [engineName, open] as const;
  });
  describeOnEach({ memory: openMemory, ...Object.fromEntries(opened) }, name, promises);
}
