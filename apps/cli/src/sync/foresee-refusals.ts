import type { WebsiteEntry } from "../entries/website-entry.ts";
import { withList } from "../output/with-list.ts";
import type { Io } from "../process/io.ts";
import { computePlan } from "./compute-plan.ts";
import { problemText } from "./file-error.ts";
import { applyPolicy } from "./policy.ts";
import { readPasswords } from "./read-passwords.ts";

/**
 * Returns what a plan or an apply of a valid file can refuse, as warnings: websites without a password, which only
 * those that have a stored one may be, and passwords that this environment does not have.
 *
 * @param path that of the site file; `-` for standard input
 */
export async function foreseeRefusals(
  io: Io,
  path: string,
  entries: readonly WebsiteEntry[],
): Promise<readonly string[]> {
  const policy = applyPolicy({ isPruned: false, setsPasswords: true });
  // In an empty account, no website has a stored password.
  const computed = computePlan({ entries, existing: new Map(), total: 0, policy });
  const open = "problems" in computed ? computed.problems : [];
  const { faults } = await readPasswords(io, path, entries);
  const missing = entries.flatMap(({ place, domain }) => {
    const problem = faults.get(domain);
    return problem === undefined ? [] : [{ place, domain, problem }];
  });
  return [
    ...(open.length === 0 ? [] : [withList(`${planRefuses}:`, open.map(problemText))]),
    ...(missing.length === 0 ? [] : [withList(`${applyRefuses}:`, missing.map(problemText))]),
  ];
}

const planRefuses = "A plan refuses these websites, unless the account has a password for them";
const applyRefuses = "An apply in this environment refuses these websites when it sends their passwords";
