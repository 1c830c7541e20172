import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take more than a minute, the longest first. Vitest starts the projects in the order of their names and, in a project,
 * the largest file first. These would be the last ones, and one worker would wait for the other at the end.
 */
const longFiles = ["packages/torture/test/sqlite.test.ts", "packages/torture/test/postgres.test.ts"];

/** Starts the longest files first. */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => placeOf(left) - placeOf(right));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longFiles.indexOf(relative(process.cwd(), moduleId));
  return place === -1 ? longFiles.length : place;
}
