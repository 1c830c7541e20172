import { mkdir, readFile, stat } from "node:fs";
import { dirname, join, posix, win32 } from "node:path";
import { promisify } from "node:util";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import { systemReason } from "../process/system-reason.ts";

/** What one login stored: with the API key, or with the name of its entry in the keyring. */
export type Profile = { readonly base_url: string } & (
  | { readonly api_key: string }
  | { readonly keyring_entry: string }
);

/** The content of the profile file. */
export interface Profiles {
  readonly byName: ReadonlyMap<string, Profile>;
  /** The profile that `siteward profiles use` has chosen, if it still exists. */
  readonly current?: string | undefined;
}

/** The profile that is used if none is named. */
export const defaultProfileName = "default";

/** The file that stores the profiles with their API keys. Only its owner should be able to read it. */
export interface ProfileFile {
  readonly path: string;
  readonly profiles: Profiles;
  /** Whether other users can read it. Always false on Windows, where the file mode does not tell. */
  readonly isExposed: boolean;
}

/**
 * Reads the profile file. A file that does not exist has no profiles, nor has one that is not needed and cannot be read.
 *
 * @throws CliError `settings_unusable`
 */
export async function readProfileFile(io: Io, isNeeded = true): Promise<ProfileFile> {
  const path = join(configDirectory(io), "profiles.json");
  try {
    // Not from node:fs/promises, which loads node:readline: 3 ms of the start of every command.
    const text = await promisify(readFile)(path, "utf8");
    const { mode } = await promisify(stat)(path);
    return { path, profiles: parseProfiles(text, path), isExposed: io.platform !== "win32" && (mode & 0o077) !== 0 };
  } catch (error) {
    if (!isNeeded || isMissing(error)) return { path, profiles: { byName: new Map() }, isExposed: false };
    throw unusable(path, error);
  }
}

/**
 * Changes the profile file, and returns its path and what it contained. It is replaced atomically, so it is never torn;
 * of two changes at the same instant, the last one stays. Folder mode 0700, file mode 0600, synced to disk before the
 * rename.
 *
 * @throws CliError `settings_unusable`
 */
export async function changeProfileFile(io: Io, change: (before: Profiles) => Profiles): Promise<ProfileFile> {
  const file = await readProfileFile(io);
  const { byName, current } = change(file.profiles);
  const content = { current, profiles: Object.fromEntries(byName) };
  try {
    await promisify(mkdir)(dirname(file.path), { recursive: true, mode: 0o700 });
    // It loads node:fs/promises too.
    const { followLink, replaceFile } = await import("../output/write-file.ts");
    // Dotfile setups keep the file elsewhere, and a link here.
    const target = await followLink(file.path);
    await replaceFile(target, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
    return file;
  } catch (error) {
    throw unusable(file.path, error);
  }
}

function parseProfiles(text: string, path: string): Profiles {
  try {
    const { profiles, current = "" }: { profiles: object; current?: string } = JSON.parse(text);
    const byName = new Map(Object.entries(profiles).map(([name, entry]) => [name, parseProfile(entry)]));
    return { byName, current: byName.has(current) ? current : undefined };
  } catch {
    const next = "Fix or delete it, then log in again.";
    throw new CliError("settings_unusable", `${path} is not a valid profile file.`, next);
  }
}

/** A file that was edited can contain anything. */
function parseProfile({ base_url, api_key, keyring_entry }: Readonly<Record<string, unknown>>): Profile {
  if (typeof base_url === "string" && typeof api_key === "string") return { api_key, base_url };
  if (typeof base_url === "string" && typeof keyring_entry === "string") return { keyring_entry, base_url };
  throw new TypeError("The entry is not a profile.");
}

/** Whether an error of a file system call says that the file does not exist. */
function isMissing(error: unknown): boolean {
  // ENOTDIR: the home directory is a file such as /dev/null, as for some service users.
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** Returns the error of a profile file that cannot be read or written. */
function unusable(path: string, error: unknown): CliError {
  if (error instanceof CliError) return error;
  const next = "Set SITEWARD_CONFIG_DIR to a directory that you own.";
  return new CliError("settings_unusable", `Cannot use ${path}: ${systemReason(error)}.`, next);
}

/**
 * Returns the folder of the profiles: `$SITEWARD_CONFIG_DIR`, else the configuration directory of the system (XDG Base
 * Directory Specification; `%AppData%` on Windows). A relative `$XDG_CONFIG_HOME` is ignored, as its specification
 * requires.
 */
export function configDirectory(io: Pick<Io, "env" | "platform" | "homeDirectory">): string {
  const { SITEWARD_CONFIG_DIR: own = "", XDG_CONFIG_HOME: xdg = "", APPDATA: appData = "" } = io.env;
  if (own !== "") return own;
  if (posix.isAbsolute(xdg)) return posix.join(xdg, "siteward");
  const { join: joinPath } = io.platform === "win32" ? win32 : posix;
  if (io.platform === "win32" && appData !== "") return joinPath(appData, "siteward");
  return joinPath(io.homeDirectory, ".config", "siteward");
}

/** Whether a name is up to 64 letters, digits, dots, dashes and underscores. */
export function isProfileName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}

/** @throws CliError `usage` */
export function checkProfileName(name: string): string {
  if (isProfileName(name)) return name;
  throw new CliError(
    "usage",
    `"${name}" is not a valid profile name. ` +
      "Use up to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit.",
  );
}
