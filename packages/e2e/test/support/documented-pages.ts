import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const repositoryRoot = fileURLToPath(new URL("../../../../", import.meta.url));

/** Every page for users and contributors. */
export const documentedPages: readonly string[] = globSync(
  ["{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md", "docs/*.md", "{apps,packages,examples}/*/README.md"],
  { cwd: repositoryRoot },
).toSorted();
