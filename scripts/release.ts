import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packRelease } from "./release/pack-release.ts";
import { publishRelease } from "./release/publish-release.ts";
import { requireReleasable } from "./release/require-releasable.ts";
import { runStep } from "./run-step.ts";

/**
 * `pnpm release`: checks, packs and publishes every version that the registry does not have. If it fails, run it again: it
 * continues with what is missing. `pnpm release pack <folder>` and `pnpm release publish <folder>` are its parts, so that CI
 * can publish in a job of its own, which has the right to publish and builds nothing.
 */
const [part, folder] = process.argv.slice(2);
requireReleasable();
if (part === undefined) await release();
else if (part === "pack" && folder !== undefined) await packRelease(folder);
else if (part === "publish" && folder !== undefined) await publishRelease(folder);
else {
  console.error("Usage: pnpm release [pack <folder> | publish <folder>]");
  process.exit(2);
}

async function release(): Promise<void> {
  const packed = mkdtempSync(join(tmpdir(), "siteward-release-"));
  process.once("exit", () => rmSync(packed, { recursive: true, force: true }));
  await runStep("Checking types, lint, format, packages and dead code", "pnpm", ["check"]);
  await packRelease(packed);
  await publishRelease(packed);
}
