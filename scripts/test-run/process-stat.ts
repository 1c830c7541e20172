import { readFileSync } from "node:fs";

/** What Linux says about a running process. */
export interface ProcessStat {
  readonly name: string;
  readonly parentId: number;
  /** In ticks since the machine started. With the ID, it names one process: IDs are given again. */
  readonly startedAt: string;
}

/** Returns undefined for a process that has ended, also if its parent does not know yet, and on systems without /proc. */
export function readProcessStat(id: number): ProcessStat | undefined {
  try {
    // The name is in parentheses, and can contain spaces. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    const [, name = "", rest = ""] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${id}/stat`, "utf8")) ?? [];
    const fields = rest.split(" ");
    const [state = "", parentId = "", startedAt = ""] = [fields[0], fields[1], fields[19]];
    return "ZX".includes(state) ? undefined : { name, parentId: Number(parentId), startedAt };
  } catch {
    return undefined;
  }
}
