import type { Check } from "../check.ts";
import { ok, splitFailure } from "../finding.ts";

/** Whether this Node contains a SQLite that is safe. A Node that is too old runs no command at all. */
export const nodeVersion: Check = {
  settings: ["DATABASE_URL"],
  async run(patient) {
    const found = ok(`This is Node ${patient.runtime.nodeVersion}.`);
    // Without a database, no SQLite is used.
    const inspection = await patient.inspection().catch(() => undefined);
    try {
      inspection?.requireSafeEngine();
      return [found];
    } catch (error) {
      return [splitFailure(error instanceof Error ? error.message : String(error), "Use a later Node.")];
    }
  },
};
