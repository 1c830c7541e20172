import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest. If it started last, one worker would work on it while the others have nothing to do. */
const longest = /\/(guarantees-\w+|hostile-files|sequences|replicas)\.test\.ts$/;

/** Starts the longest files first. Vitest starts the projects in the order of their names, and knows no durations in a fresh clone. */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => Number(longest.test(moduleId));
    return sorted.toSorted((left, right) => isLong(right) - isLong(left));
  }
}
