import type { DatabaseConnection, Driver } from "kysely";
import { expect, test } from "vitest";
import { runInTransaction, runOnConnection } from "./run-transaction.ts";

test.each([
  ["acquire", "acquire"],
  ["begin", "acquire begin release"],
  ["work", "acquire begin work rollback release"],
  ["commit", "acquire begin work commit rollback release"],
  ["work rollback", "acquire begin work rollback release"],
  ["nothing", "acquire begin work commit release"],
])(
  "if %s fails, a transaction rolls back what it has begun, and its connection is always released",
  async (failing, expected) => {
    const steps: string[] = [];
    const step = async (name: string) => {
      steps.push(name);
      if (failing.split(" ").includes(name)) throw new Error(name);
    };
    const driver = createDriver(step);
    const running = runOnConnection(driver, (connection) =>
      runInTransaction(driver, connection, {}, () => step("work").then(() => "done")),
    );
    await (failing === "nothing"
      ? expect(running).resolves.toBe("done")
      : expect(running).rejects.toThrow(failing.split(" ").at(-1)));
    expect(steps.join(" ")).toBe(expected);
  },
);

/** Creates a driver that only tells what it does. */
function createDriver(step: (name: string) => Promise<void>): Driver {
  // The cast is safe: nothing runs a query.
  const connection = {} as DatabaseConnection;
  return {
    init: async () => {},
    acquireConnection: () => step("acquire").then(() => connection),
    beginTransaction: () => step("begin"),
    commitTransaction: () => step("commit"),
    rollbackTransaction: () => step("rollback"),
    releaseConnection: () => step("release"),
    destroy: async () => {},
  };
}
