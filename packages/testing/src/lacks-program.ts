import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Whether a test is skipped because this machine lacks a program that it starts. A machine that must run everything, such as that
 * of CI, sets `SITEWARD_TEST_PROGRAMS=1`: there the test fails instead.
 */
export function lacksProgram(...names: readonly string[]): boolean {
  return process.env["SITEWARD_TEST_PROGRAMS"] !== "1" && !names.every(isInstalled);
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
