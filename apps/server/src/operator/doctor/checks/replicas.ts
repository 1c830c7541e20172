import { InstallationError } from "../../../storage/interface/installation-error.ts";
import type { Check } from "../check.ts";
import { type Finding, ok, skipped, warning } from "../finding.ts";
import { toFinding } from "../installation-finding.ts";

/** Whether the read replicas answer and follow the database. */
export const replicas: Check = {
  settings: ["DATABASE_URL", "DATABASE_REPLICA_URLS"],
  dependsOn: ["database"],
  async run(patient): Promise<readonly Finding[]> {
    if (patient.config.databaseReplicaUrls.length === 0) return [skipped("No read replicas are set.")];
    try {
      const found = await (await patient.inspection()).readReplicas();
      return found.map(({ name, fault, lagBytes }) =>
        fault === undefined
          ? ok(`The replica ${name} follows the database. It lacked ${lagBytes} bytes of its log.`)
          : warning(
              `The replica ${name} is not read: ${fault}`,
              "Start it, or remove its URL from DATABASE_REPLICA_URLS.",
            ),
      );
    } catch (error) {
      if (!(error instanceof InstallationError)) throw error;
      return [toFinding(error, "Correct DATABASE_REPLICA_URLS, or unset it.")];
    }
  },
};
