import type { ProcessResult } from "@siteward/testing/start-process";
import { expect } from "vitest";

/** Reads standard output, which must contain one JSON value and nothing else. */
export function readJson({ exitCode, stdout, stderr }: ProcessResult) {
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: "" });
  return JSON.parse(stdout);
}
