import type { FileProblem } from "./file-problem.ts";

/** Why a file is not read any further: the first thing in it that is not YAML, or exceeds a limit. */
export class ReadingStopped extends Error {
  override readonly name = "ReadingStopped";
  /** The line of the file. Counts from 1. */
  readonly line: number;
  /** The problems before it, if they are why the file is not read any further. */
  readonly before: readonly FileProblem[];

  /** @param problem what is wrong and what to write instead, without a period at the end */
  constructor(line: number, problem: string, before: readonly FileProblem[] = []) {
    super(problem);
    this.line = line;
    this.before = before;
  }
}
