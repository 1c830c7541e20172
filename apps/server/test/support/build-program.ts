import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** Builds the program that tests start, if its sources have changed, so that no test runs an old one. */
export function setup(): void {
  const commandLine = ["run", "build", "--filter=@siteward/server...", "--output-logs=errors-only"];
  execFileSync(`${root}node_modules/.bin/turbo`, commandLine, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
}
