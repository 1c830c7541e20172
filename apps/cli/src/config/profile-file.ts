import { readFile, stat } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { CliError } from "../errors/cli-error.ts";
import type { Io } from "../process/io.ts";
import { systemReason } from "../process/system-reason.ts";
import { configDirectory } from "./config-directory.ts";
import { noProfiles, type Profiles, parseProfiles } from "./profiles.ts";

/** The file that stores the profiles with their API keys. Only its owner should be able to read it. */
interface ProfileFile {
  readonly path: string;
  readonly profiles: Profiles;
  /** Whether other users can read it. Always false on Windows, where the file mode does not tell. */
  readonly isExposed: boolean;
}

/**
 * Reads the profile file. A file that does not exist has no profiles.
 *
 * @throws CliError `settings_unusable`
 */
export async function readProfileFile(io: Io): Promise<ProfileFile> {
  const path = profilePath(io);
  try {
    // Not from node:fs/promises, which loads node:readline: 3 ms of the start of every command.
    const text = await promisify(readFile)(path, "utf8");
    const { mode } = await promisify(stat)(path);
    return { path, profiles: parseProfiles(text, path), isExposed: io.platform !== "win32" && (mode & 0o077) !== 0 };
  } catch (error) {
    if (isMissing(error)) return { path, profiles: noProfiles, isExposed: false };
    throw error instanceof CliError ? error : unusable(path, error);
  }
}

/** Returns the path of the profile file. */
export function profilePath(io: Io): string {
  return join(configDirectory(io), "profiles.json");
}

/** Whether an error of a file system call says that the file does not exist. */
function isMissing(error: unknown): boolean {
  // ENOTDIR: the home directory is a file such as /dev/null, as for some service users.
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** Returns the error of a profile file that cannot be read or written. */
export function unusable(path: string, error: unknown): CliError {
  return new CliError(
    "settings_unusable",
    `Cannot use ${path}: ${systemReason(error)}.`,
    "Set SITEWARD_CONFIG_DIR to a directory that you own.",
  );
}
