import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Finding {
  readonly path: string;
  /** The number of the line, from 1. */
  readonly line: number;
  readonly message: string;
}

/** Writes the files into the folder and returns what the real linter finds in them by the rules of the repository. */
export function lintImports(folder: string, root: string, files: Readonly<Record<string, string>>): Finding[] {
  const onlyBoundaries = { linter: { rules: { preset: "none" } } };
  const configuration = { root: true, extends: [join(root, "biome.boundaries.json")], ...onlyBoundaries };
  for (const [path, text] of Object.entries({ ...files, "biome.json": JSON.stringify(configuration) })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const biome = join(root, "node_modules/.bin/biome");
  const report: Report = JSON.parse(run(biome, ["lint", "--reporter=json", "--max-diagnostics=none", "."], folder));
  return report.diagnostics.map(({ message, location }) => ({
    path: location.path,
    line: location.start.line,
    message,
  }));
}

interface Report {
  readonly diagnostics: readonly {
    readonly message: string;
    readonly location: { readonly path: string; readonly start: { readonly line: number } };
  }[];
}

/** A linter that finds something exits with a failure and still prints its report. */
function run(command: string, commandArguments: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, commandArguments, {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 100 * 1024 * 1024,
    });
  } catch (error) {
    if (error instanceof Error && "stdout" in error) return String(error.stdout);
    throw error;
  }
}
