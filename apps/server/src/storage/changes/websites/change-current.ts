import { storageUnavailable, type VersionedWebsite } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { prepareWebsiteGet } from "../../reads/websites/website-get.ts";
import { TurnTaking } from "./turn-taking.ts";

/** How often a change is decided again because another process changed the record in between. */
const maxAttempts = 100;
/** After a transaction has waited for as long, it is refused too. */
const turnLimits = { maxTasks: 100, maxWaitMs: 5_000 };

/** Changes a record that was read. Returns `"conflict"` if somebody else changed it since, and nothing was changed. */
type Attempt<Result> = (current: VersionedWebsite) => Promise<Result | "conflict">;

/** Runs the attempt on the newest record until there is no conflict. Returns undefined if the record does not exist. */
export type ChangeCurrent = <Result>(
  accountId: number,
  id: number,
  attempt: Attempt<Result>,
) => Promise<Result | undefined>;

/** The changes that this process makes to one record take turns, so that only those of other processes conflict. */
export function prepareChangeCurrent({ primary, build }: Database): ChangeCurrent {
  const get = prepareWebsiteGet({ build, readUpToDate: (work) => work(primary) });
  const turns = new TurnTaking(turnLimits);
  return (accountId, id, attempt) =>
    turns.take(`${accountId} ${id}`, async () => {
      for (let count = 1; count <= maxAttempts; count += 1) {
        const current = await get(accountId, id);
        if (current === undefined) return undefined;
        const result = await attempt(current);
        if (result !== "conflict") return result;
      }
      throw storageUnavailable(new Error(`Website ${id} of account ${accountId} changed too often.`));
    });
}
