import { Siteward } from "@siteward/sdk";
import type { FakeSiteward } from "@siteward/sdk/testing";
import { readSiteFile } from "../../src/site-file/read-site-file.ts";
import { applyPlan, type ChangeResult } from "../../src/sync/apply-plan.ts";
import { computePlan } from "../../src/sync/compute-plan.ts";
import type { Change, Plan } from "../../src/sync/plan.ts";

/** How a plan is applied in a test. */
export interface ApplyRun {
  readonly signal?: AbortSignal;
  readonly onDone?: (change: Change) => void;
  readonly maxRetries?: number;
}

/** Returns the plan of a site file for the account as it is now. */
export async function planOf(fake: FakeSiteward, text: string, isPruned = false): Promise<Plan> {
  const { entries, problems } = await readSiteFile(text);
  const existing = new Map(fake.websites.map((website) => [website.domain, website]));
  const computed = computePlan({ entries, existing, total: existing.size, isPruned, setsPasswords: false });
  if (problems.length > 0 || "problems" in computed) throw new Error(JSON.stringify([problems, computed]));
  return computed.plan;
}

/** Applies a plan. Every password that it sends is the same. */
export async function apply(fake: FakeSiteward, plan: Plan, run: ApplyRun = {}): Promise<readonly ChangeResult[]> {
  const { signal = new AbortController().signal, onDone = () => undefined, maxRetries = 0 } = run;
  const protectedChanges = plan.changes.filter((change) => "password" in change);
  const passwords = new Map(protectedChanges.map(({ domain }) => [domain, "correct horse"]));
  const siteward = new Siteward({ ...fake.clientOptions, maxRetries });
  return await applyPlan(siteward, plan, { parallel: 8, signal, passwords, onDone });
}

/** Returns each domain with what became of its change. */
export function outcomesOf(results: readonly ChangeResult[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    results.map((result) => {
      if ("done" in result) return [result.change.domain, result.done.outcome];
      return [result.change.domain, "error" in result ? messageOf(result.error) : "not tried"];
    }),
  );
}

/** Returns the requests that change something. */
export function writesTo(fake: FakeSiteward): readonly string[] {
  return fake.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
