import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { runIn } from "./run-in.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** The published packages, by the folder that the README with the line that installs them is in. */
const readmes = {
  contract: "packages/contract",
  sdk: "packages/sdk",
  rules: "packages/rules",
  cli: "apps/cli",
  server: "apps/server",
  edge: "apps/edge",
} as const;

declare module "vitest" {
  interface ProvidedContext {
    /** A folder with a project for each published package, by its name. */
    readonly installed: string;
  }
}

/**
 * Installs each package into a project of its own by the line of its README, from the files of `pnpm tarballs`, so that it finds no
 * dependency that it does not declare. Deletes all of it at the end.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "siteward-installed-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    mkdirSync(join(folder, "siteward"));
    symlinkSync(join(root, "tarballs"), join(folder, "siteward/tarballs"));
    for (const [name, source] of Object.entries(readmes)) {
      const readme = readFileSync(join(root, source, "README.md"), "utf8");
      const [line] = /npm install (?:--global )?\.\.\/siteward\/.*$/m.exec(readme) ?? [];
      if (line === undefined) throw new Error(`The README of ${source} says no more how to install it from a clone.`);
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "package.json"), JSON.stringify({ private: true, type: "module" }));
      runIn(join(folder, name), {}, "sh", "-c", line.replace(" --global", ""));
    }
  } catch (error) {
    await remove();
    throw error;
  }
  provide("installed", folder);
  return remove;
}
