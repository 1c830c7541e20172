import { runStep } from "../run-step.ts";

/**
 * Publishes the tarballs of the folder. npm signs in with the identity of the CI run (trusted publishing), or as the user
 * of this machine. No file contains a token.
 */
export async function publishRelease(folder: string): Promise<void> {
  Object.assign(process.env, provenanceSettings(process.env));
  await runStep("Publishing", "changeset", ["publish", "--from-pack-dir", folder]);
}

/** GitHub sets this variable in jobs with `id-token: write`. Elsewhere npm cannot prove where a package was built, and refuses to. */
function provenanceSettings(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return environment["ACTIONS_ID_TOKEN_REQUEST_URL"] === undefined ? {} : { NPM_CONFIG_PROVENANCE: "true" };
}
