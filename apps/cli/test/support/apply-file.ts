import { type Fetch, Siteward } from "@siteward/sdk";
import type { FakeSiteward } from "@siteward/sdk/testing";
import { readSiteFile } from "../../src/files/site/read-site-file.ts";
import { makePlan, type Plan } from "../../src/sync/plan.ts";
import { applyPolicy } from "../../src/sync/policy.ts";
import { isDone, type Result } from "../../src/sync/result.ts";
import { run as runDecisions } from "../../src/sync/run.ts";
import { recordIo } from "./recorded-io.ts";

/** Returns the plan of a site file for the account as it is now. */
export async function planOf(fake: FakeSiteward, text: string, isPruned = false): Promise<Plan> {
  const { entries, problems } = await readSiteFile(text);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const request = { path: "-", entries, policy: applyPolicy(false), isPruned };
  return await makePlan(recordIo().io, new Siteward(fake.clientOptions), request);
}

/**
 * Applies a plan. Every password that it sends is the same.
 *
 * @param fetch what stands between the CLI and the fake
 */
export async function apply(fake: FakeSiteward, plan: Plan, fetch: Fetch = fake.fetch): Promise<readonly Result[]> {
  const protectedChanges = plan.changes.filter((change) => "password" in change);
  const passwords = new Map(protectedChanges.map(({ domain }) => [domain, "correct horse"]));
  const siteward = new Siteward({ ...fake.clientOptions, fetch });
  const { io } = recordIo();
  const options = { label: "Applying", policy: applyPolicy(false), passwords, retries: 0 };
  return (await runDecisions(io, siteward, plan.changes, options)).results;
}

/** Returns each domain with what became of its change. */
export function outcomesOf(results: readonly Result[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    results.map((result) => {
      const { domain = "", outcome, reason } = result;
      return [domain, isDone(result) || outcome === "not_tried" ? outcome : String(reason)];
    }),
  );
}

/** Returns the requests that change something. */
export function writesTo(fake: FakeSiteward): readonly string[] {
  return fake.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
}
