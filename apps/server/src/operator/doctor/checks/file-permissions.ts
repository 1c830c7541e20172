import { quoteForShell } from "../../../quote-for-shell.ts";
import type { DatabaseFile } from "../../../storage/interface/inspection.ts";
import type { Check } from "../check.ts";
import { type Finding, failure, ok, skipped, warning } from "../finding.ts";
import { readFiles } from "../read-files.ts";

const othersRead = 0o004;
const othersWrite = 0o002;

/** Whether other users of the machine may read or change the database. */
export const filePermissions: Check = {
  settings: ["DATABASE_URL"],
  async run(patient) {
    return judgePermissions(await readFiles(patient));
  },
};

export function judgePermissions(files: readonly DatabaseFile[]): readonly Finding[] {
  if (files.every(({ isFolder }) => isFolder)) return [skipped("There are no files of the database to check.")];
  const found = files.flatMap(judgeFile);
  return found.length === 0 ? [ok("Other users may not read or change the files of the database.")] : found;
}

/** The names in a folder are no secret, so others may read it. */
function judgeFile({ path, isFolder, mode }: DatabaseFile): readonly Finding[] {
  const shown = `${path} has mode ${mode.toString(8).padStart(4, "0")}`;
  const fix = `Run \`chmod ${isFolder ? "go-w" : 600} ${quoteForShell(path)}\`.`;
  if ((mode & othersWrite) !== 0)
    return [failure(`${shown}: every user may change ${isFolder ? "what is in it" : "it"}.`, fix)];
  if (isFolder || (mode & othersRead) === 0) return [];
  return [warning(`${shown}: every user who may enter its folder can read the hashes of keys and passwords.`, fix)];
}
