/** Calls a function of the program, which is not awaited. If it throws or rejects, `onFailure` is called. */
export function callSafely<Argument>(
  call: (argument: Argument) => unknown,
  argument: Argument,
  onFailure: (error: unknown) => void,
): void {
  // Async, so that what it throws is a rejection too.
  (async () => call(argument))().catch(onFailure);
}
