import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runStep } from "../run-step.ts";
import { findTarballProblems } from "./find-tarball-problems.ts";
import { packageFiles } from "./package-files.ts";
import { readTarball } from "./read-tarball.ts";

/**
 * Builds and packs every version that the registry does not have into the folder, and checks each tarball. Publishing takes these
 * files, so what was checked is what is published.
 */
export async function packRelease(folder: string): Promise<void> {
  const packages = Object.keys(packageFiles).map((name) => `--filter=${name}`);
  await runStep("Building", "turbo", ["run", "build", ...packages, "--output-logs=errors-only"]);
  await runStep("Packing", "changeset", ["pack", "--out-dir", folder]);
  const tarballs = readdirSync(join(folder, "packages"));
  const problems = tarballs.flatMap((name) => checkTarball(join(folder, "packages", name)));
  for (const problem of problems) console.error(`✗ ${problem}`);
  if (problems.length > 0) process.exit(1);
  console.log(`✓ ${tarballs.length} tarballs contain what they should`);
}

function checkTarball(tarball: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "siteward-tarball-"));
  try {
    return findTarballProblems(readTarball(tarball, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
