/** Ends a problem with a period, unless it ends with a question. */
export function asSentence(problem: string): string {
  return problem.endsWith("?") ? problem : `${problem}.`;
}
