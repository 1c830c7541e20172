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

/**
 * Compiles examples against the built packages, with the flags of a strict project, in one run.
 *
 * @param examples the code of each page
 * @returns what the compiler reports, with the names of the pages
 */
export function compileExamples(examples: ReadonlyMap<string, string>): string {
  using temporary = mkdtempDisposableSync(join(tmpdir(), "siteward-example-"));
  const folder = temporary.path;
  try {
    symlinkSync(join(root, "packages/e2e/node_modules"), join(folder, "node_modules"));
    const files = [...examples].map(([page, code]) => [`${page.replaceAll(/\W+/g, "-")}.mts`, code] as const);
    for (const [file, code] of files) writeFileSync(join(folder, file), code);
    const flags = [
      ...["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck"],
      ...["--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom", "--types", "node"],
    ];
    const tsc = join(root, "node_modules/.bin/tsc");
    execFileSync(tsc, [...flags, ...files.map(([file]) => file)], { cwd: folder, stdio: "pipe" });
    return "";
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}
