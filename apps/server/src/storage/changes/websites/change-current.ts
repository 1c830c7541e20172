import type { VersionedWebsite } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { prepareWebsiteGet } from "../../reads/websites/website-get.ts";
import { untilNoConflict } from "../until-no-conflict.ts";
import { TurnTaking } from "./turn-taking.ts";

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
    turns.take(`${accountId} ${id}`, () =>
      untilNoConflict(`Website ${id} of account ${accountId}`, async () => {
        const current = await get(accountId, id);
        return current === undefined ? undefined : attempt(current);
      }),
    );
}
