import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Need, Row } from "./row.ts";

/** The first line that strace prints says whether it is attached. Then the traced process ends, and strace with it. */
const tryToAttach = `
  sleep 60 & process=$!
  strace -o /dev/null -p $process 2>&1 | {
    read -r line
    kill $process
    case "$line" in *attached*) exit 0 ;; *) exit 1 ;; esac
  }`;

/** How to check whether the machine meets a requirement, and what to print if it does not. */
const needs = {
  linux: { isThere: () => existsSync("/proc/self/status"), meaning: "Linux with /proc" },
  permissions: {
    isThere: () =>
      process.getuid?.() !== 0 || spawnSync("sh", ["-c", "setpriv --version"], { stdio: "ignore" }).status === 0,
    meaning: "setpriv (apt-get install util-linux), because root passes over the permissions of files",
  },
  strace: {
    // Some systems let only root attach to a process that is not a child.
    isThere: () => spawnSync("sh", ["-c", tryToAttach], { stdio: "ignore" }).status === 0,
    meaning: "strace (apt-get install strace) and permission to attach it",
  },
} as const satisfies Record<Need, { isThere: () => boolean; meaning: string }>;

/** Lists the requirements of a row that the machine does not meet. Empty if the row can run. */
export function findMissing(row: Row): string[] {
  return (row.needs ?? []).filter((need) => !needs[need].isThere()).map((need) => needs[need].meaning);
}
