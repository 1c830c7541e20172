import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { isPublished } from "@siteward/contract";

/** The version of this program. */
export const version: string = createRequire(import.meta.url)("@siteward/server/package.json").version;

/** From this file, in a clone and in a folder of installed packages, where it is in `dist`. */
const programs = { cli: "../../cli/bin/siteward.js", server: "../../server/bin/siteward-server.js" } as const;

/**
 * Returns the words that run one of our programs in any folder of this machine. The name of a package that nobody has
 * published yet could belong to anybody, so until then they are the paths of this Node and of the program.
 *
 * @returns undefined if the program is not next to this one
 */
export function findProgram(program: keyof typeof programs): string | undefined {
  if (isPublished) return `npx -y @siteward/${program}`;
  const path = fileURLToPath(new URL(programs[program], import.meta.url));
  return existsSync(path) ? [process.execPath, path].map(quoteForShell).join(" ") : undefined;
}

/** Returns an argument as it must be pasted into a shell: in quotes if it needs them. */
export function quoteForShell(argument: string): string {
  return /^[\w./:@%+=,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
