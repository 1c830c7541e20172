import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";

/** Why the system does not let this process write to a database file. */
export interface WriteRefusal {
  /** One sentence without its beginning and its period, such as "this user may not write to /data/siteward.db". */
  readonly reason: string;
  readonly remedy: string;
  /** Whether writes to files that are already open fail too. Permissions are only checked when a file is opened. */
  readonly concernsOpenFiles: boolean;
}

/** The file, and the files that SQLite writes next to it: https://sqlite.org/walformat.html#files_on_disk */
const suffixes = ["", "-wal", "-shm"];

/** Returns why SQLite could not write to the database if it opened it now, as far as the system says it. */
export function findWriteRefusal(path: string): WriteRefusal | undefined {
  const codes = suffixes.map((suffix) => ({ file: `${path}${suffix}`, code: codeOfAccess(`${path}${suffix}`) }));
  const refused = codes.find(({ code }) => code !== undefined && code !== missing);
  if (refused?.code !== undefined) return describe(refused.code, refused.file, `write to ${refused.file}`);
  const folder = dirname(path);
  const folderCode = codes.some(({ code }) => code === missing) ? codeOfAccess(folder) : undefined;
  if (folderCode === undefined || folderCode === missing) return undefined;
  return describe(folderCode, folder, `create files in ${folder}`);
}

const missing = "ENOENT";

function describe(code: string, place: string, action: string): WriteRefusal {
  switch (code) {
    case "EROFS":
      return {
        reason: `${place} is in a file system that is mounted read-only`,
        remedy: "Mount it with the right to write.",
        concernsOpenFiles: true,
      };
    case "EPERM":
      return {
        reason: `${place} is marked as immutable`,
        remedy: "Remove the mark, on Linux with `chattr -i`.",
        concernsOpenFiles: true,
      };
    default:
      return {
        reason: `this user may not ${action}`,
        remedy:
          "Let the user that runs Siteward write to the file, to the files next to it that end in -wal and -shm, " +
          "and to its folder.",
        concernsOpenFiles: false,
      };
  }
}

function codeOfAccess(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : undefined;
  }
}
