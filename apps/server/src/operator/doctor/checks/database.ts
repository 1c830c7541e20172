import { AppError } from "@siteward/service";
import { InstallationError } from "../../../storage/interface/installation-error.ts";
import type { Check } from "../check.ts";
import { failure, ok } from "../finding.ts";
import { toFinding } from "../installation-finding.ts";

/** Whether the database is there, is one of Siteward, and answers. */
export const database: Check = {
  settings: ["DATABASE_URL"],
  // If root opens files of two users, SQLite gives the log to the owner of the database, which would be a change.
  dependsOn: ["node_version", "file_owner"],
  async run(patient) {
    try {
      await patient.contents();
      return [ok(`The ${(await patient.inspection()).name} answers.`)];
    } catch (error) {
      if (error instanceof InstallationError)
        return [toFinding(error, "Check DATABASE_URL (--database-url), and that the database runs.")];
      if (!(error instanceof AppError && error.cause instanceof Error)) throw error;
      const what = `The database cannot be read: ${error.cause.message}.`;
      return [failure(what, "Check its disk or its server. If the database is damaged, restore a backup.")];
    }
  },
};
