import { maxConnections } from "../../../door/sockets/serve.ts";
import { readDescriptorLimit } from "../../io/read-descriptor-limit.ts";
import type { Check } from "../check.ts";
import { type Finding, ok, warning } from "../finding.ts";

/** Files, pipes and connections of the database, and connections that are closing. */
const reserve = 500;
export const neededFiles = maxConnections + reserve;

/** Whether a process may have as many connections open as it accepts. */
export const openFiles: Check = {
  run: async () => [judgeDescriptorLimit(await readDescriptorLimit())],
};

/** @param limit undefined if the system does not tell it */
export function judgeDescriptorLimit(limit: number | undefined): Finding {
  if (limit === undefined) return ok("This system does not say how many files a process may open.");
  if (limit >= neededFiles) return ok(`A process of this session may open ${limit} files.`);
  return warning(
    `A process of this session may open ${limit} files, but a server accepts ${maxConnections} connections.`,
    `Run \`ulimit -n ${neededFiles}\` before the start, or set LimitNOFILE=${neededFiles} in the unit of systemd.`,
  );
}
