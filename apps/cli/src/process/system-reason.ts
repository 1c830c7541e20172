/** Returns what the system says about a failure, such as "no such file or directory". */
export function systemReason(error: unknown): string {
  // Node writes "ENOENT: no such file or directory, open 'siteward.yaml'".
  return error instanceof Error ? error.message.replace(/^[A-Z]\w+: (.+?), [a-z]\w*( .*)?$/s, "$1") : String(error);
}
