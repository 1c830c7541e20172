import { runStep } from "../run-step.ts";

/**
 * Publishes the tarballs of the folder. npm signs in with the identity of the CI run (trusted publishing), or as the user
 * of this machine. No file contains a token.
 */
export async function publishRelease(folder: string): Promise<void> {
  // GitHub sets this variable in jobs with `id-token: write`. Elsewhere npm cannot prove where a package was built, and refuses to.
  if (process.env["ACTIONS_ID_TOKEN_REQUEST_URL"] !== undefined) process.env["NPM_CONFIG_PROVENANCE"] = "true";
  await runStep("Publishing", "changeset", ["publish", "--from-pack-dir", folder]);
}
