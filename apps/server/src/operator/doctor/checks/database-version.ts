import type { DatabaseContents } from "../../../storage/interface/inspection.ts";
import { remedyOf } from "../../io/installation-remedy.ts";
import type { Check } from "../check.ts";
import { type Finding, failure, ok, warning } from "../finding.ts";

/** Whether the database has the version of this program. */
export const databaseVersion: Check = {
  dependsOn: ["database"],
  run: async (patient) => [judgeVersion(await patient.contents())],
};

export function judgeVersion({ version, newestVersion }: Pick<DatabaseContents, "version" | "newestVersion">): Finding {
  const at = `The database is at version ${version}`;
  if (version > newestVersion) {
    return failure(
      `${at}, but this program knows versions up to ${newestVersion} only.`,
      remedyOf({ code: "newer_version" }),
    );
  }
  if (version === newestVersion) return ok(`${at}, as this program.`);
  return warning(
    `${at}, and any command but doctor migrates it to version ${newestVersion}. There is no way back.`,
    "Stop the servers, back up the database, and run `siteward-server migrate`.",
  );
}
