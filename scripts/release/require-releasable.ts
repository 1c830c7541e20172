import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { isPublished } from "../../packages/contract/src/is-published.ts";

/** Ends the process if the tree is not exactly a commit whose changesets are all in a version. */
export function requireReleasable(): void {
  const changed = execFileSync("git", ["status", "--porcelain"], { encoding: "utf8" }).trimEnd();
  const changesets = readdirSync(".changeset").filter((name) => name.endsWith(".md") && name !== "README.md");
  const obstacles = [
    ...(changed === "" ? [] : [`The tree differs from its commit. Commit or remove:\n${changed}`]),
    ...(isPublished ? [] : ["Texts still say that nothing is published: see packages/contract/src/is-published.ts."]),
    ...(changesets.length === 0
      ? []
      : [
          `${changesets.length} changesets are in no version yet. ` +
            "Run `pnpm version-packages`, commit the result, and release that.",
        ]),
  ];
  for (const obstacle of obstacles) console.error(`✗ ${obstacle}`);
  if (obstacles.length > 0) process.exit(1);
}
