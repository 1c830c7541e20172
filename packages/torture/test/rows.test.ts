import { describe, expect, test } from "vitest";
import { findServerBin } from "../src/built-server.ts";
import { engines } from "../src/engines/engines.ts";
import type { Row } from "../src/row.ts";
import { killNine } from "../src/rows/kill-nine.ts";
import { once } from "../src/rows/once.ts";
import { rawHttp } from "../src/rows/raw-http.ts";
import { runRow } from "../src/run-row.ts";

/** The attacks that take seconds and need nothing of the machine. `.ci/run` runs the short form of all of them. */
const rows: Readonly<Record<string, Row>> = { "raw-http": rawHttp, "kill-nine": killNine, once };

describe.for(Object.entries(rows))("%s", ([, row]) => {
  test(row.promise, async () => {
    await using engine = await engines.sqlite();
    const options = {
      engineName: "sqlite",
      engine,
      serverBin: findServerBin(process.env),
      isSabotaged: false,
    } as const;
    const { violations } = await runRow(row, { ...options, rounds: row.rounds.short, seed: 7 });
    expect(violations).toEqual([]);
  });
});
