import { execFileSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** Copies the files of the repository that git tracks or would add, as they are now, into `siteward` in the folder, and returns its path. */
export function copyRepository(parent: string): string {
  const copy = join(parent, "siteward");
  const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", listed, { cwd: root, encoding: "utf8" }).split("\0");
  // A file that was deleted, but not yet in a commit, is still listed.
  for (const file of files.filter((name) => name !== "" && existsSync(join(root, name)))) {
    cpSync(join(root, file), join(copy, file), { force: true });
  }
  // Cached build results depend on git's index, so the copy has one, as a clone does.
  execFileSync("git", ["init", "--quiet"], { cwd: copy });
  execFileSync("git", ["add", "--all"], { cwd: copy });
  return copy;
}
