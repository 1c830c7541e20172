import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { CliError } from "../errors/cli-error.ts";
import { replaceFile } from "../files/replace-file.ts";
import type { Io } from "../process/io.ts";
import { lockFile } from "./lock-file.ts";
import { profilePath, readProfileFile, unusable } from "./profile-file.ts";
import { formatProfiles, type Profiles } from "./profiles.ts";

/** The profile file before a change. */
interface ChangedFile {
  readonly path: string;
  readonly before: Profiles;
}

/**
 * Changes the profile file, without losing what another process changes at the same time. The file is replaced atomically: folder
 * mode 0700, file mode 0600, synced to disk before the rename.
 *
 * @throws CliError `settings_unusable`
 */
export async function changeProfileFile(io: Io, change: (profiles: Profiles) => Profiles): Promise<ChangedFile> {
  const path = profilePath(io);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await using _lock = await lockFile(`${path}.lock`);
    const { profiles: before } = await readProfileFile(io);
    await replaceFile(path, formatProfiles(change(before)), 0o600);
    return { path, before };
  } catch (error) {
    throw error instanceof CliError ? error : unusable(path, error);
  }
}
