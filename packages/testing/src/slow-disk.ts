import { spawnSync } from "node:child_process";

/** Returns the command line in front of a server that makes each of its syncs take longer. */
export function slowDisk(delayMs: number): readonly string[] {
  if (delayMs === 0) return [];
  const delayMicroseconds = delayMs * 1000;
  const calls = "fsync,fdatasync";
  const inject = `inject=${calls}:delay_exit=${delayMicroseconds}`;
  return ["strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-e", `trace=${calls}`, "-e", inject];
}

/** Checks whether this machine can make a disk slower. Containers can forbid strace to trace. A machine that must run everything can. */
export function canSlowDisk(): boolean {
  if (process.env["TEST_SITEWARD_PROGRAMS"] === "1") return true;
  const [command = "", ...words] = slowDisk(1);
  return spawnSync(command, [...words, "true"], { stdio: "ignore" }).status === 0;
}
