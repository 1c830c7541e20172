import { InstallationError } from "../../../storage/interface/installation-error.ts";
import type { Check } from "../check.ts";
import { ok } from "../finding.ts";
import { toFinding } from "../installation-finding.ts";

/** Whether this user may change the database. */
export const databaseWritable: Check = {
  dependsOn: ["database"],
  async run(patient) {
    try {
      await (await patient.inspection()).requireWritable();
      return [ok("This user may change the database.")];
    } catch (error) {
      if (!(error instanceof InstallationError)) throw error;
      return [toFinding(error, "Let the user that runs Siteward change it.")];
    }
  },
};
