import { dirname } from "node:path";
import { quoteForShell } from "../../../quote-for-shell.ts";
import type { DatabaseFile } from "../../../storage/interface/inspection.ts";
import type { Check } from "../check.ts";
import { type Finding, failure, ok, skipped, warning } from "../finding.ts";
import { readFiles } from "../read-files.ts";

/** Whether the files belong to one user, who runs the server. */
export const fileOwner: Check = {
  settings: ["DATABASE_URL"],
  async run(patient) {
    return [judgeOwner(await readFiles(patient), patient.runtime.userId)];
  },
};

/** @param userId who runs this. Undefined on Windows, where files have no such number. */
export function judgeOwner(files: readonly DatabaseFile[], userId: number | undefined): Finding {
  const own = files.filter(({ isFolder }) => !isFolder);
  const [database, ...others] = own;
  if (database === undefined || userId === undefined) return skipped("There are no files of the database to check.");
  const { owner, path } = database;
  const other = others.find((file) => file.owner !== owner);
  if (other !== undefined) {
    const what = `${other.path} belongs to user ${other.owner}, but ${path} to user ${owner}.`;
    const all = others.map((file) => quoteForShell(file.path)).join(" ");
    return failure(what, `Run \`chown ${owner} ${all}\`, and the server as user ${owner}.`);
  }
  if (owner === userId) return ok(`The files in ${dirname(path)} belong to user ${owner}, who runs this.`);
  return warning(
    `${path} belongs to user ${owner}, but user ${userId} runs this. The rights and limits that were checked are those of user ${userId}.`,
    `If user ${owner} runs the server, run doctor as that user: \`sudo -u '#${owner}' siteward-server doctor\`.`,
  );
}
