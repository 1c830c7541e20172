import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What mostly waits: for time-outs, and for processes that end and start again. Meanwhile, checks use the processors. */
const waiting =
  /\/server\/.*\/(readiness|workers(-restart)?|deleted-secrets|requests-in-progress|delete-account|postgres-failures|idempotency-in-progress|metrics)\.test\.ts$/;
/** What takes longest. If it started last, one worker would work on it while the others have nothing to do. */
const longest = /\/(guarantees-\w+|hostile-files|sequences|replicas)\.test\.ts$/;

/** Starts these files first. Vitest starts the projects in the order of their names, and knows no durations in a fresh clone. */
export class TestSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => (waiting.test(moduleId) ? 0 : longest.test(moduleId) ? 1 : 2);
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}
