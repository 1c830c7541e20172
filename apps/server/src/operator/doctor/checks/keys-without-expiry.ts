import type { FoundKeys } from "../../../storage/interface/inspection.ts";
import type { Check } from "../check.ts";
import { type Finding, ok, warning } from "../finding.ts";
import { describeKeys } from "./describe-keys.ts";

/** Whether a key that leaks stops working some day. */
export const keysWithoutExpiry: Check = {
  dependsOn: ["database_version"],
  async run(patient) {
    const { rows } = await patient.contents();
    return [judgeEndlessKeys(rows?.neverExpiring)];
  },
};

function judgeEndlessKeys(found: FoundKeys | undefined): Finding {
  if (found?.prefix === undefined) return ok("All valid API keys expire.");
  return warning(
    `${describeKeys(found, ["never expires", "never expire"])}.`,
    `Run \`siteward-server keys update ${found.prefix} --expires 90d\`. \`siteward-server keys list\` shows all.`,
  );
}
