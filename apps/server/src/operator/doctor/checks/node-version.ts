import type { Check } from "../check.ts";
import { failure, ok } from "../finding.ts";

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
      const what = error instanceof Error ? error.message : String(error);
      const end = what.indexOf(". ") + 1;
      return [failure(what.slice(0, end), what.slice(end).trim())];
    }
  },
};
