import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** Compiles an example against the built packages, with the flags of a strict project. Returns what the compiler reports. */
export function compileExample(example: string): string {
  const folder = mkdtempSync(join(tmpdir(), "siteward-example-"));
  try {
    symlinkSync(join(root, "packages/e2e/node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "example.mts"), example);
    const flags = [
      "--noEmit",
      "--strict",
      "--exactOptionalPropertyTypes",
      "--module",
      "nodenext",
      "--target",
      "es2024",
      "--lib",
      "es2024,dom",
      "--skipLibCheck",
    ];
    execFileSync(join(root, "node_modules/.bin/tsc"), [...flags, "--types", "node", "example.mts"], {
      cwd: folder,
      stdio: "pipe",
    });
    return "";
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
