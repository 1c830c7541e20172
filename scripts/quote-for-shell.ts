/** Returns an argument as it must be pasted into a shell: in quotes if it contains anything that a shell could interpret. */
export function quoteForShell(argument: string): string {
  if (/^[\w./:@%+=,-]+$/.test(argument)) return argument;
  return process.platform === "win32" ? `"${argument}"` : `'${argument.replaceAll("'", "'\\''")}'`;
}
