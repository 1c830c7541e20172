import { BaseSequencer, type TestSpecification } from "vitest/node";
import { readTestDurations, toListedPath } from "./test-durations.ts";

/**
 * Starts the files that took longest first. Vitest starts the projects in the order of their names, and one
 * worker would wait for the other at the end. Its own list of durations is missing in a fresh clone.
 */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const durations = readTestDurations();
    const secondsOf = ({ moduleId }: TestSpecification) => durations[toListedPath(moduleId)] ?? 0;
    return sorted.toSorted((left, right) => secondsOf(right) - secondsOf(left));
  }
}
