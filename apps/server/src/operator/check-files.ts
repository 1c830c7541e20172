import { quoteForShell } from "../own-programs.ts";
import type { DatabaseFile, DatabaseInspection } from "../storage/interface/inspection.ts";

/** What a check found, what it saw, and what to do about it: null if nothing. */
export type Finding = readonly [status: "ok" | "warning" | "failure" | "skipped", what: string, fix: string | null];

/** Whether the files belong to the user who runs this, and others may not read or change them. */
export async function checkFiles({ inspect }: { inspect(): Promise<DatabaseInspection> }): Promise<readonly Finding[]> {
  const files = await inspect()
    .then((inspection) => inspection.readFiles())
    .catch(() => []);
  if (files.every(({ isFolder }) => isFolder))
    return [["skipped", "There are no files of the database to check.", null]];
  const found = [...judgeOwner(files), ...files.flatMap(judgeMode)];
  return found.length === 0 ? [["ok", "Only this user may read and change the files of the database.", null]] : found;
}

function judgeOwner(all: readonly DatabaseFile[]): readonly Finding[] {
  // Undefined on Windows, where files have no owner with a number.
  const userId = process.geteuid?.();
  const [database, ...others] = all.filter(({ isFolder }) => !isFolder);
  if (database === undefined || userId === undefined) return [];
  const { owner, path } = database;
  const other = others.find((file) => file.owner !== owner);
  if (other !== undefined) {
    const what = `${other.path} belongs to user ${other.owner}, but ${path} to user ${owner}.`;
    const files = others.map((file) => quoteForShell(file.path)).join(" ");
    return [["failure", what, `Run \`chown ${owner} ${files}\`, and the server as user ${owner}.`]];
  }
  if (owner === userId) return [];
  const what = `${path} belongs to user ${owner}, but user ${userId} runs this, whose rights were checked.`;
  const run = `\`sudo -u '#${owner}' siteward-server doctor\``;
  return [["warning", what, `If user ${owner} runs the server, run doctor as that user: ${run}.`]];
}

/** The names in a folder are no secret, so others may read it. */
function judgeMode({ path, isFolder, mode }: DatabaseFile): readonly Finding[] {
  const shown = `${path} has mode ${mode.toString(8).padStart(4, "0")}`;
  const fix = `Run \`chmod ${isFolder ? "go-w" : 600} ${quoteForShell(path)}\`.`;
  if ((mode & 0o002) !== 0)
    return [["failure", `${shown}: every user may change ${isFolder ? "what is in it" : "it"}.`, fix]];
  if (isFolder || (mode & 0o004) === 0) return [];
  return [["warning", `${shown}: every user who may enter its folder can read the hashes of keys and passwords.`, fix]];
}
