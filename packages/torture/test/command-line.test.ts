import { describe, expect, test } from "vitest";
import { readCommandLine, UsageError } from "../src/command-line.ts";
import { rows } from "../src/rows/index.ts";

const read = (...words: string[]) => readCommandLine(words, () => 7);

describe("pnpm torture", () => {
  test("runs every row on every engine if none is named", () => {
    expect(read()).toMatchObject({ rowNames: Object.keys(rows), engineNames: ["sqlite", "postgres"], seed: 7 });
  });

  test("accepts a number of rounds, or a factor of each row's default", () => {
    expect(read("--rounds", "12").roundsOf(40)).toBe(12);
    expect(read("--rounds", "10x").roundsOf(40)).toBe(400);
    expect(read().roundsOf(40)).toBe(40);
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
