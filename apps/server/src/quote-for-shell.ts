/**
 * Returns an argument as it must be pasted into a shell: in quotes if it contains anything that a shell could interpret.
 *
 * @param platform whose shell. A POSIX shell if unset, for which all lines are that the server prints.
 */
export function quoteForShell(argument: string, platform?: NodeJS.Platform): string {
  if (/^[\w./:@%+=,-]+$/.test(argument)) return argument;
  return platform === "win32" ? `"${argument}"` : `'${argument.replaceAll("'", "'\\''")}'`;
}
