import { quoteForShell } from "../../../quote-for-shell.ts";
import type { Check } from "../check.ts";
import { type Finding, failure, ok, skipped, warning } from "../finding.ts";

const mega = 1024 * 1024;
/** The write-ahead log of SQLite keeps up to 64 MiB of the disk while the server is busy. */
export const minBytes = 64 * mega;
export const fewBytes = 1024 * mega;

/** How much the disk of a database file has left. */
export const diskSpace: Check = {
  settings: ["DATABASE_URL"],
  async run(patient) {
    const space = await freeSpaceOf(patient);
    return [space === undefined ? skipped("The disk of the database is not known.") : judgeSpace(space)];
  },
};

/** Undefined if the database is on a server, or if its folder is not found, which `database` says. */
async function freeSpaceOf(patient: Parameters<Check["run"]>[0]) {
  return patient
    .inspection()
    .then((inspection) => inspection.readFreeBytes())
    .catch(() => undefined);
}

export function judgeSpace({ folder, freeBytes }: { readonly folder: string; readonly freeBytes: number }): Finding {
  const what = `The disk of ${folder} has ${describeBytes(freeBytes)} left.`;
  if (freeBytes >= fewBytes) return ok(what);
  const fix = `Free some space, at least 1 GiB. \`df -h ${quoteForShell(folder)}\` shows the disk.`;
  return freeBytes >= minBytes ? warning(what, fix) : failure(`${what} Changes will fail soon.`, fix);
}

function describeBytes(bytes: number): string {
  return bytes < fewBytes ? `${Math.floor(bytes / mega)} MiB` : `${Math.floor(bytes / fewBytes)} GiB`;
}
