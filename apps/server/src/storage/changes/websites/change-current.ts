import type { VersionedWebsite } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { prepareWebsiteGet } from "../../reads/websites/website-get.ts";
import { untilNoConflict } from "../until-no-conflict.ts";
import type { RecentWebsites } from "./recent-websites.ts";
import { TurnTaking } from "./turn-taking.ts";

/** What was decided on a record: a change and its result, or only a result. */
interface Decision<Result> {
  readonly result: Result;
  /**
   * Makes the change if the record still has the version that it was decided on. Returns whether it had. Undefined if nothing is to
   * be changed.
   */
  readonly change?: () => Promise<boolean>;
  /** Throws an error if the change was not made for another reason than the version. */
  readonly requireRoom?: () => Promise<void>;
  /** The record afterwards. Undefined if it is then deleted. */
  readonly after?: VersionedWebsite;
}

/** Decides on a record. It is called again if the record was outdated. */
type Decide<Result> = (current: VersionedWebsite) => Promise<Decision<Result>>;

/** Decides on the newest record, and makes the change. Returns undefined if the record does not exist. */
export type ChangeCurrent = <Result>(
  accountId: number,
  id: number,
  decide: Decide<Result>,
) => Promise<Result | undefined>;

/** After a transaction has waited for as long, it is refused too. */
const turnLimits = { maxTasks: 100, maxWaitMs: 5_000 };

/**
 * Prepares changes that are decided on a record. The changes that this process makes to one record take turns, so that only those of
 * other processes conflict.
 *
 * A change is first decided on the record as this process has stored it last, and sent without a read: one round trip. That the record
 * still has its version proves that nobody has changed it since. Otherwise the record is read, and nothing that was decided before
 * counts. So no answer and no error comes from a record that may be outdated.
 */
export function prepareChangeCurrent(
  { primary, build }: Pick<Database, "primary" | "build">,
  recent: RecentWebsites,
): ChangeCurrent {
  const get = prepareWebsiteGet({ build, readUpToDate: (work) => work(primary) });
  const turns = new TurnTaking(turnLimits);
  return (accountId, id, decide) =>
    turns.take(`${accountId} ${id}`, async () => {
      const sent = await decideChange(decide, recent.take(accountId, id));
      if (sent !== undefined && (await sent.change())) {
        recent.remember(accountId, sent.after);
        return sent.result;
      }
      const made = await untilNoConflict(`Website ${id} of account ${accountId}`, async () => {
        const current = await get(accountId, id);
        if (current === undefined) return undefined;
        const decision = await decide(current);
        if (decision.change === undefined || (await decision.change())) return decision;
        await decision.requireRoom?.();
        return "conflict";
      });
      // What another process has just changed, it probably changes again, and a conflict costs a round trip more than a read.
      if (sent === undefined) recent.remember(accountId, made?.after);
      return made?.result;
    });
}

/** Returns undefined unless the decision on a record that may be outdated is a change. */
async function decideChange<Result>(decide: Decide<Result>, remembered: VersionedWebsite | undefined) {
  if (remembered === undefined) return undefined;
  // An error, such as a condition that is not met, is found again if the newest record causes it too.
  const decision = await decide(remembered).catch(() => undefined);
  return decision?.change === undefined ? undefined : { ...decision, change: decision.change };
}
