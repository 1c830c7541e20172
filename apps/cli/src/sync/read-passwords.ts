import { dirname } from "node:path";
import { readPassword } from "../entries/read-password.ts";
import type { Io } from "../process/io.ts";
import type { FileProblem } from "../site-file/file-problem.ts";
import { fileError } from "./file-error.ts";
import type { Plan } from "./plan.ts";

/**
 * Reads every password that a plan sends, before anything is sent.
 *
 * @param path that of the site file, whose `password_file` fields are relative to its folder
 * @returns the passwords by domain
 * @throws CliError `input_refused` with every password that is missing or not valid. It contains no password.
 */
export async function readPasswords(
  { env }: Io,
  path: string,
  { changes }: Plan,
): Promise<ReadonlyMap<string, string>> {
  const passwords = new Map<string, string>();
  const problems: FileProblem[] = [];
  for (const change of changes) {
    if (change.action === "delete" || change.password === undefined) continue;
    const { place, domain } = change;
    const read = await readPassword(change.password, { env, folder: path === "-" ? "." : dirname(path) });
    if (read.ok) passwords.set(domain, read.value);
    else problems.push({ place, domain, problem: read.reason });
  }
  if (problems.length > 0) throw fileError(path, problems);
  return passwords;
}
