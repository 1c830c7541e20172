import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findServerBin } from "../../src/built-server.ts";
import type { Engine } from "../../src/engines/database.ts";
import type { EngineName } from "../../src/engines/engine-name.ts";
import { engines } from "../../src/engines/engines.ts";
import { findMissing } from "../../src/needs.ts";
import type { Row } from "../../src/row.ts";
import { rows } from "../../src/rows/index.ts";
import { type RunResult, runRow } from "../../src/run-row.ts";

/** A fixed seed, so that a failure can be reproduced. */
const seed = 7;
/** A developer's machine may lack strace. CI must have it. */
const runsAll = (process.env["CI"] ?? "") !== "" || (process.env["SITEWARD_TORTURE_ALL"] ?? "") !== "";
const serverBin = findServerBin(process.env);

/** Defines tests that run the short form of every row on an engine. */
export function tryRows(engineName: EngineName): void {
  let engine: Engine | undefined;
  beforeAll(async () => {
    engine = await engines[engineName]();
  });
  afterAll(async () => {
    await engine?.[Symbol.asyncDispose]();
  });
  const attack = (row: Row, isSabotaged: boolean): Promise<RunResult> => {
    if (engine === undefined) throw new Error("The engine did not start.");
    return runRow(row, { engineName, engine, rounds: row.rounds.short, seed, isSabotaged, serverBin });
  };
  const chosen = Object.entries<Row>(rows).filter(([, row]) => row.engines.includes(engineName));

  describe.for(chosen)("%s", ([, row]) => {
    test.skipIf(findMissing(row).length > 0 && !runsAll)(row.promise, async () => {
      expect((await attack(row, false)).violations).toEqual([]);
    });

    // What a row notices does not depend on the engine, so rows that run on both are sabotaged on only one.
    if (row.engines[0] !== engineName) return;
    test.skipIf(findMissing(row).length > 0 && !runsAll)("notices a broken promise", async () => {
      const { violations, hasFailed } = await attack(row, true);
      expect(hasFailed ? violations : []).toEqual([]);
      expect(violations).not.toEqual([]);
    });
  });
}
