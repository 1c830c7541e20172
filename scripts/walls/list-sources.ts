import { globSync } from "node:fs";

/** Lists the source files of the repository, from its root. */
export function listSources(root: string): string[] {
  const options = { cwd: root, exclude: ["**/node_modules", "*/*/dist"] };
  return globSync("**/*.{ts,mts,cts,tsx,js,mjs,cjs,jsx}", options).toSorted();
}

const testFile = /\.test(-d)?\.[cm]?tsx?$|^(apps|packages)\/[^/]+\/test\//;

/** Returns whether a file is a test, or helps tests. A test may import everything of its package. */
export function isTest(file: string): boolean {
  return testFile.test(file);
}

const configFile = /^((apps|packages)\/[^/]+\/)?[^/]+\.config\.[cm]?[jt]s$/;

/** Returns whether a file configures a tool, at the root of the repository or of a package. It runs on a developer's machine alone. */
export function isConfig(file: string): boolean {
  return configFile.test(file);
}
