import { readProfileFile } from "../config/profile-file.ts";
import { checkProfileName } from "../config/profiles.ts";
import type { Io } from "../process/io.ts";

/** Returns the names of the stored profiles that the CLI would accept. Any other one was not written by the CLI. */
export async function suggestProfiles(io: Io): Promise<readonly string[]> {
  const { profiles } = await readProfileFile(io);
  return [...profiles.byName.keys()].filter(isProfileName).sort();
}

function isProfileName(name: string): boolean {
  try {
    return checkProfileName(name) === name;
  } catch {
    return false;
  }
}
