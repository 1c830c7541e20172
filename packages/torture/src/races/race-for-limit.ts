import type { Database } from "../engines/database.ts";
import { atOnce, countStatuses, type Race, readMember } from "./race.ts";

export interface LimitRace extends Race {
  /** The account has no websites yet. */
  readonly websiteLimit: number;
  readonly database: Database;
  readonly isSabotaged: boolean;
}

/** Creates twice as many websites at once as the account's limit, and then deletes them at once. */
export async function raceForLimit(race: LimitRace): Promise<string[]> {
  const { send, apiKey, name, websiteLimit, database, isSabotaged } = race;
  const clients = websiteLimit * 2;
  // The sabotage: a limit that allows one more website.
  if (isSabotaged) {
    await database.query("update accounts set website_limit = website_limit + 1 where website_limit is not null");
  }
  const answers = await atOnce(clients, (index) =>
    send("POST", "/api/v1/websites", apiKey, { domain: `${name}-limit-${index}.example.com` }),
  );
  const created = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ json }) => readMember(json, "code") === "website_limit_reached");
  const found: string[] = [];
  if (created.length !== websiteLimit || refused.length !== clients - websiteLimit) {
    found.push(`${clients} creates against a limit of ${websiteLimit} were answered with ${countStatuses(answers)}.`);
  }
  found.push(...(await judgeCount(race, created.length)));
  const removed = await Promise.all(
    created.map(({ json }) => send("DELETE", `/api/v1/websites/${readMember(json, "data", "id")}`, apiKey)),
  );
  if (removed.some(({ status }) => status !== 204)) found.push(`Deletes were answered with ${countStatuses(removed)}.`);
  return [...found, ...(await judgeCount(race, 0))];
}

async function judgeCount({ send, apiKey }: Race, wanted: number): Promise<string[]> {
  const { json } = await send("GET", "/api/v1/account", apiKey);
  const count = readMember(json, "data", "websites", "count");
  return count === wanted ? [] : [`The account should count ${wanted} websites, but counts ${count}.`];
}
