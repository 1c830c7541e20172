import type { WebsiteEntry } from "../files/entry.ts";
import { folderOf, foreseePasswordFault } from "../files/passwords.ts";
import type { FileProblem } from "../files/site/file-problem.ts";
import type { Warning } from "../output/notices.ts";
import type { Io } from "../process/io.ts";
import { computePlan } from "./plan.ts";
import { applyPolicy } from "./policy.ts";
import { problemText } from "./problems.ts";

/**
 * Returns what a plan or an apply of a valid file can refuse, as warnings: websites without a password, which only
 * those that have a stored one may be, and passwords that this environment does not have. Opens no file of a password.
 *
 * @param path that of the site file; `-` for standard input
 */
export async function foreseeRefusals(
  io: Io,
  path: string,
  entries: readonly WebsiteEntry[],
): Promise<readonly Warning[]> {
  const policy = applyPolicy({ isPruned: false, setsPasswords: true });
  // In an empty account, no website has a stored password.
  const computed = computePlan(entries, { byDomain: new Map(), total: 0 }, policy);
  const open = "problems" in computed ? computed.problems : [];
  const missing = await findMissingPasswords(io, path, entries);
  return [
    ...(open.length === 0 ? [] : [{ head: planRefuses, things: open.map(problemText) }]),
    ...(missing.length === 0 ? [] : [{ head: applyRefuses, things: missing.map(problemText) }]),
  ];
}

async function findMissingPasswords(
  { env }: Io,
  path: string,
  entries: readonly WebsiteEntry[],
): Promise<readonly FileProblem[]> {
  const missing: FileProblem[] = [];
  for (const { place, domain, password } of entries) {
    if (password === undefined) continue;
    const problem = await foreseePasswordFault(password, { env, folder: folderOf(path) });
    if (problem !== undefined) missing.push({ place, domain, problem });
  }
  return missing;
}

const planRefuses = "A plan refuses these websites, unless the account has a password for them:";
const applyRefuses =
  "These websites have no valid password in this environment. An apply that has to send it refuses them:";
