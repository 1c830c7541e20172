import type { FoundKeys } from "../../../storage/interface/inspection.ts";
import type { Check } from "../check.ts";
import { type Finding, ok, warning } from "../finding.ts";
import { describeKeys } from "./describe-keys.ts";

/** How old a key is before doctor expects that somebody has used it. */
export const minUnusedDays = 7;

/** Whether a key that nobody needs could leak. */
export const unusedKeys: Check = {
  dependsOn: ["database_version"],
  async run(patient) {
    const { rows } = await patient.contents();
    return [judgeUnusedKeys(rows?.neverUsed)];
  },
};

function judgeUnusedKeys(found: FoundKeys | undefined): Finding {
  if (found?.prefix === undefined) return ok("All valid API keys have been used, or are new.");
  return warning(
    `${describeKeys(found, ["has not been used", "have not been used"])}, for at least ${minUnusedDays} days after being created.`,
    `Run \`siteward-server keys revoke ${found.prefix}\` if nobody needs it. \`siteward-server keys list\` shows all.`,
  );
}
