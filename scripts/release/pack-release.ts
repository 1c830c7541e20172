import { runStep } from "../run-step.ts";
import { publishedPackages } from "./published-packages.ts";

/** Builds and packs every version that the registry does not have into the folder. Publishing takes these files. */
export async function packRelease(folder: string): Promise<void> {
  const packages = publishedPackages.map((name) => `--filter=${name}`);
  await runStep("Building", "turbo", ["run", "build", ...packages, "--output-logs=errors-only"]);
  await runStep("Packing", "changeset", ["pack", "--out-dir", folder]);
}
