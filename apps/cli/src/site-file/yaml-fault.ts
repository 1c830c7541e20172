/** The first thing in a file that cannot be read as YAML, or exceeds a limit. Nothing after it is read. */
export class YamlFault extends Error {
  override readonly name = "YamlFault";
  /** The line of the file. Counts from 1. */
  readonly line: number;

  /** @param problem what is wrong and what to write instead, without a period at the end */
  constructor(line: number, problem: string) {
    super(problem);
    this.line = line;
  }
}
