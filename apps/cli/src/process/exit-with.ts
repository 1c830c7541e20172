import type { ExitCode } from "./exit-code.ts";

/** Ends a run that has printed its result with an exit code that says more than "done". It is not an error. */
export class ExitWith extends Error {
  override readonly name = "ExitWith";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super(`Exit with ${exitCode}.`);
    this.exitCode = exitCode;
  }
}
