import { describe, expect, test } from "vitest";
import { readCommandLine, UsageError } from "../src/command-line.ts";
import { rows } from "../src/rows/index.ts";

const read = (...words: string[]) => readCommandLine(words, () => 7);

describe("pnpm torture", () => {
  test("runs every row on every engine if none is named", () => {
    expect(read()).toMatchObject({ rowNames: Object.keys(rows), seed: 7 });
    expect(read().enginesOf(rows.races)).toEqual(["sqlite", "postgres"]);
    expect(read().enginesOf(rows["postgres-outage"])).toEqual(["postgres"]);
    expect(read("--engine", "postgres").enginesOf(rows.races)).toEqual(["postgres"]);
  });

  test("sabotages a row on one of its engines", () => {
    expect(read("--sabotage").enginesOf(rows.races)).toEqual(["sqlite"]);
    expect(read("--sabotage").enginesOf(rows["postgres-outage"])).toEqual(["postgres"]);
    expect(read("--sabotage", "--engine", "postgres").enginesOf(rows.races)).toEqual(["postgres"]);
  });

  test("accepts a number of rounds, a factor of each row's default, or the short form", () => {
    const rounds = { default: 40, short: 3 };
    expect(read("--rounds", "12").roundsOf(rounds)).toBe(12);
    expect(read("--rounds", "10x").roundsOf(rounds)).toBe(400);
    expect(read("--rounds", "short").roundsOf(rounds)).toBe(3);
    expect(read().roundsOf(rounds)).toBe(40);
  });

  test.for([
    ["no-such-row"],
    ["--engine", "oracle"],
    ["--rounds", "0"],
    ["--rounds", "many"],
    ["--seed", "x"],
    ["--what"],
    ["postgres-outage", "--engine", "sqlite"],
  ])("refuses %s", (words) => {
    expect(() => read(...words)).toThrow(UsageError);
  });
});
