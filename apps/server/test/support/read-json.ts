import { expect } from "vitest";
import type { ProgramResult } from "./run-program.ts";

/** Reads standard output, which must contain one JSON value and nothing else. */
export function readJson({ exitCode, stdout, stderr }: ProgramResult) {
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: "" });
  return JSON.parse(stdout);
}
