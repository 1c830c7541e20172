import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest, each by its file. Half of it waits, while the others and the checks use the processors. */
const longest = [
  ...["delete-account", "deleted-secrets", "guarantees-memory", "guarantees-postgres", "guarantees-sqlite"],
  ...["hostile-files", "idempotency-in-progress", "metrics", "postgres-failures", "readiness", "replicas"],
  ...["requests-in-progress", "sequences", "workers", "workers-restart"],
];

/** Starts these files first. If one started last, one worker would work on it while the others have nothing to do. */
export class TestSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    return sorted.toSorted((left, right) => Number(isLong(right)) - Number(isLong(left)));
  }
}
