import { execFileSync } from "node:child_process";
import { mkdtempDisposableSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot as root } from "./documented-pages.ts";

/** Returns the TypeScript examples of a page, or of the part before a heading, as one program. Empty if it has none. */
export function readExamples(page: string, before?: string): string {
  const text = readFileSync(page, "utf8");
  const [part = ""] = before === undefined ? [text] : text.split(`\n${before}\n`);
  return [...part.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code).join("\n");
}

/** Creates a folder with the built packages and these files, as the project of a user. */
export function createProject(files: Readonly<Record<string, string>>) {
  const folder = mkdtempDisposableSync(join(tmpdir(), "siteward-project-"));
  symlinkSync(join(root, "packages/e2e/node_modules"), join(folder.path, "node_modules"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
  return folder;
}

/**
 * Compiles examples against the built packages, with the flags of a strict project, in one run.
 *
 * @param examples the code of each page
 * @returns what the compiler reports, with the names of the pages
 */
export function compileExamples(examples: ReadonlyMap<string, string>): string {
  const files = [...examples].map(([page, code]) => [`${page.replaceAll(/\W+/g, "-")}.mts`, code] as const);
  using project = createProject(Object.fromEntries(files));
  try {
    const flags = [
      ...["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck"],
      ...["--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom", "--types", "node"],
    ];
    const tsc = join(root, "node_modules/.bin/tsc");
    execFileSync(tsc, [...flags, ...files.map(([file]) => file)], { cwd: project.path, stdio: "pipe" });
    return "";
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}
