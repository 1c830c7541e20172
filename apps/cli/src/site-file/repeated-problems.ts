import type { FileProblem } from "./file-problem.ts";

/** Counts the websites that name a list that does not exist, so that it is one problem, however many they are. */
export class RepeatedProblems {
  /** How many more websites have the problem, by its text. */
  readonly #more = new Map<string, number>();

  /** Returns the problems that must be listed: not those with a list of which another website or the defaults said it. */
  onlyNew(problems: readonly FileProblem[]): readonly FileProblem[] {
    return problems.filter(({ problem, isUnknownList }) => {
      if (isUnknownList !== true) return true;
      const more = this.#more.get(problem);
      this.#more.set(problem, more === undefined ? 0 : more + 1);
      return more === undefined;
    });
  }

  /** Returns the problems that are listed, each with the number of websites that have it too. */
  count(listed: readonly FileProblem[]): readonly FileProblem[] {
    return listed.map((each) => {
      const more = each.isUnknownList === true ? (this.#more.get(each.problem) ?? 0) : 0;
      return more === 0 ? each : { ...each, problem: withMore(each.problem, more) };
    });
  }
}

function withMore(problem: string, more: number): string {
  const others = more === 1 ? "1 more website names it" : `${more.toLocaleString("en-US")} more websites name it`;
  return `${problem}${problem.endsWith("?") ? "" : ";"} ${others}`;
}
