import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { isPublished } from "../../packages/contract/src/is-published.ts";

/** Ends the process if the tree is not exactly a commit whose changesets are all in a version. */
export function requireReleasable(): void {
  const status = execFileSync("git", ["status", "--porcelain"], { encoding: "utf8" });
  const obstacles = findObstacles(status, readdirSync(".changeset"));
  for (const obstacle of obstacles) console.error(`✗ ${obstacle}`);
  if (obstacles.length > 0) process.exit(1);
}

/** Returns what stops a release. `status` is the output of `git status --porcelain`. */
function findObstacles(status: string, changesetFiles: readonly string[]): string[] {
  const changed = status.split("\n").filter((line) => line !== "");
  const changesets = changesetFiles.filter((name) => name.endsWith(".md") && name !== "README.md");
  return [
    ...(changed.length === 0 ? [] : [`The tree differs from its commit. Commit or remove:\n${changed.join("\n")}`]),
    ...(isPublished ? [] : ["Texts still say that nothing is published: see packages/contract/src/is-published.ts."]),
    ...(changesets.length === 0
      ? []
      : [
          `${changesets.length} changesets are in no version yet. ` +
            "Run `pnpm version-packages`, commit the result, and release that.",
        ]),
  ];
}
