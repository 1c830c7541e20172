import { readProfileFile, writeProfileFile } from "../config/profile-file.ts";
import { withoutProfile } from "../config/profiles.ts";
import type { Io } from "../process/io.ts";

/**
 * Removes a profile with its API key.
 *
 * @returns whether the profile existed
 */
export async function removeProfile(io: Io, name: string): Promise<boolean> {
  const { path, profiles } = await readProfileFile(io);
  if (!profiles.byName.has(name)) return false;
  await writeProfileFile(path, withoutProfile(profiles, name));
  return true;
}
