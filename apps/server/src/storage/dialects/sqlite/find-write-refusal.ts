import { accessSync, constants, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";

/** Why the system does not let this process write to a database file. */
export interface WriteRefusal {
  /** One sentence without its beginning and its period, such as "/data is in a file system that is read-only". */
  readonly reason: string;
  readonly remedy: string;
}

/** The file, and the files that SQLite writes next to it: https://sqlite.org/walformat.html#files_on_disk */
const suffixes = ["", "-wal", "-shm"];

/** Says which database file cannot be written, why, and what to do. */
export function describeWriteRefusal(path: string, { reason, remedy }: WriteRefusal): string {
  return `Cannot write to the database file ${path}: ${reason}. ${remedy}`;
}

/** Returns why SQLite could not write to the database if it opened it now, as far as the system says it. */
export function findWriteRefusal(path: string): WriteRefusal | undefined {
  const codes = suffixes.map((suffix) => ({ file: `${path}${suffix}`, code: codeOfAccess(`${path}${suffix}`) }));
  const refused = codes.find(({ code }) => code !== undefined && code !== missing);
  if (refused?.code !== undefined) return describe(refused.code, refused.file, describeUse(refused.file));
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
        reason: `${place} is in a file system that is read-only`,
        remedy: "Mount it with the right to write, after a check if it is damaged.",
      };
    case "EPERM":
      return {
        reason: `${place} is marked as immutable`,
        remedy: "Remove the mark, on Linux with `chattr -i`.",
      };
    default:
      return {
        reason: `${describeUser()} may not ${action}${describeOwner(place)}`,
        remedy:
          "Let the user that runs Siteward read and write the file, the files next to it that end in -wal and -shm, " +
          "and its folder.",
      };
  }
}

function describeUse(file: string): string {
  const isReadable = codeOfAccess(file, constants.R_OK) === undefined;
  return `${isReadable ? "" : "read or "}write to ${file}`;
}

/** The user whose rights count, by name and number. A container can run as a user without a name. */
function describeUser(): string {
  const id = process.geteuid?.();
  if (id === undefined) return "this user";
  try {
    return `user ${userInfo().username} (${id})`;
  } catch {
    return `user ${id}`;
  }
}

/** The numbers of the owner: Node.js does not know their names. Empty on Windows, and in a folder that this user may not enter. */
function describeOwner(place: string): string {
  if (process.geteuid === undefined) return "";
  try {
    const { uid, gid, mode } = statSync(place);
    const permissions = (mode & 0o7777).toString(8).padStart(4, "0");
    return `, which belongs to user ${uid} and group ${gid} and has mode ${permissions}`;
  } catch {
    return "";
  }
}

function codeOfAccess(path: string, kind = constants.W_OK): string | undefined {
  return codeOf(() => accessSync(path, kind));
}

function codeOf(call: () => void): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : undefined;
  }
}
