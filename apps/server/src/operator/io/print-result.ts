import type { CommandContext } from "./command-context.ts";

/** Prints one result: as the only JSON on standard output, or as lines for a person. */
export function printResult(
  context: CommandContext,
  options: { json?: boolean },
  result: unknown,
  lines: readonly string[],
): void {
  if (options.json === true) {
    context.print(JSON.stringify(result));
    return;
  }
  for (const line of lines) context.print(line);
}
