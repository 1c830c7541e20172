import { InstallationError } from "../../interface/installation-error.ts";
import type { DatabaseLocation } from "../dialect.ts";

/** Says that a file has no replicas. */
export function replicasUnsupported(replica: DatabaseLocation | undefined): InstallationError {
  return new InstallationError(
    "invalid_url",
    `${replica?.setting ?? "A replica"} needs a PostgreSQL database, but the database is a file.`,
  );
}
