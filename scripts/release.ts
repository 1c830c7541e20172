import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPublished } from "../packages/contract/src/is-published.ts";
import { publishedPackages } from "./release/published-packages.ts";
import { runStep } from "./run-step.ts";

/**
 * `pnpm release`: checks, packs and publishes every version that the registry does not have. If it fails, run it again: it
 * continues with what is missing. `pnpm release pack <folder>` and `pnpm release publish <folder>` are its parts, so that CI
 * can publish in a job of its own, which has the right to publish and builds nothing.
 */
const [part, folder] = process.argv.slice(2);
requireReleasable();
if (part === undefined) await release();
else if (part === "pack" && folder !== undefined) await pack(folder);
else if (part === "publish" && folder !== undefined) await publish(folder);
else {
  console.error("Usage: pnpm release [pack <folder> | publish <folder>]");
  process.exit(2);
}

/** Ends the process if the tree is not exactly a commit whose changesets are all in a version. */
function requireReleasable(): void {
  const changed = execFileSync("git", ["status", "--porcelain"], { encoding: "utf8" }).trimEnd();
  const changesets = readdirSync(".changeset").filter((name) => name.endsWith(".md") && name !== "README.md");
  const obstacles = [
    ...(changed === "" ? [] : [`The tree differs from its commit. Commit or remove:\n${changed}`]),
    ...(isPublished ? [] : ["Texts still say that nothing is published: see packages/contract/src/is-published.ts."]),
    ...(changesets.length === 0
      ? []
      : [
          `${changesets.length} changesets are in no version yet. ` +
            "Run `pnpm version-packages`, commit the result, and release that.",
        ]),
  ];
  for (const obstacle of obstacles) console.error(`✗ ${obstacle}`);
  if (obstacles.length > 0) process.exit(1);
}

async function release(): Promise<void> {
  const packed = mkdtempSync(join(tmpdir(), "siteward-release-"));
  process.once("exit", () => rmSync(packed, { recursive: true, force: true }));
  await runStep("Checking types, lint, format, packages and dead code", "pnpm", ["check"]);
  await pack(packed);
  await publish(packed);
}

/** Builds and packs every version that the registry does not have into the folder. Publishing takes these files. */
async function pack(packed: string): Promise<void> {
  const packages = publishedPackages.map((name) => `--filter=${name}`);
  await runStep("Building", "turbo", ["run", "build", ...packages, "--output-logs=errors-only"]);
  await runStep("Packing", "changeset", ["pack", "--out-dir", packed]);
}

/**
 * Publishes the tarballs of the folder. npm signs in with the identity of the CI run (trusted publishing), or as the user
 * of this machine. No file contains a token.
 */
async function publish(packed: string): Promise<void> {
  // GitHub sets this variable in jobs with `id-token: write`. Elsewhere npm cannot prove where a package was built, and refuses to.
  if (process.env["ACTIONS_ID_TOKEN_REQUEST_URL"] !== undefined) process.env["NPM_CONFIG_PROVENANCE"] = "true";
  await runStep("Publishing", "changeset", ["publish", "--from-pack-dir", packed]);
}
