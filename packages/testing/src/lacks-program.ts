import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** What tests start and this repository does not install. `pnpm test` names those that were missing. */
export const programs = [
  ...["bash", "caddy", "chromium", "curl", "dbus-daemon", "dbus-send", "fish", "gnome-keyring-daemon", "jq", "nginx"],
  ...["perl", "prlimit", "promtool", "setpriv", "strace", "systemd-analyze", "systemd-notify", "zsh"],
] as const;

/**
 * Whether a test is skipped because this machine lacks a program that it starts. A machine that must run everything, such as that
 * of CI, sets `TEST_SITEWARD_PROGRAMS=1`: there the test fails instead.
 */
export function lacksProgram(...names: ReadonlyArray<(typeof programs)[number]>): boolean {
  return process.env["TEST_SITEWARD_PROGRAMS"] !== "1" && !names.every(isInstalled);
}

function isInstalled(name: string): boolean {
  // A user's path may lack the folder of the system's programs, such as nginx.
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  return folders.some((folder) => isExecutable(join(folder, name)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
