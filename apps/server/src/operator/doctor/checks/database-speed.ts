import type { Check } from "../check.ts";
import { type Finding, ok, warning } from "../finding.ts";

/** Changes of one account wait for each other's syncs, and clients for all of them. */
export const slowMs = 100;

/** How long the database takes to store a change safely. */
export const databaseSpeed: Check = {
  // A full disk, or one that may not be written, cannot be measured.
  dependsOn: ["database_writable", "disk_space"],
  isAlone: true,
  run: async (patient) => [judgeSpeed(await (await patient.inspection()).measureWriteMs())],
};

export function judgeSpeed(writeMs: number): Finding {
  const took = `The database stores a write safely in ${writeMs < 10 ? writeMs.toFixed(1) : Math.round(writeMs)} ms.`;
  if (writeMs <= slowMs) return ok(took);
  return warning(
    `${took} Each change waits for that.`,
    `Use a disk that needs less than ${slowMs} ms, such as a local SSD, and a PostgreSQL that is near.`,
  );
}
