import type { RawAnswer } from "../client/raw-connection.ts";
import { readMember } from "../client/read-member.ts";
import { atOnce, countStatuses, type Race, websites } from "./race.ts";

/** Creates one domain many times at once. One create succeeds, and the others get its ID. */
export async function raceForDomain({ send, apiKey, name }: Race): Promise<string[]> {
  const clients = 16;
  const domain = `${name}-same.example.com`;
  const answers = await atOnce(clients, () => send("POST", websites, apiKey, { domain }));
  const created = answers.filter(({ status }) => status === 201);
  const taken = answers.filter(({ status }) => status === 409);
  if (created.length !== 1 || taken.length !== clients - 1) {
    return [`${clients} creates of ${domain} were answered with ${countStatuses(answers)}.`];
  }
  const id = readMember(created[0]?.json, "data", "id");
  const wrong = taken.filter(({ json }) => readMember(json, "website_id") !== id);
  return wrong.map(({ text }) => `${domain} has the ID ${id}, but the refusal says ${text}`);
}

/**
 * Creates twice as many websites at once as the account's limit, and then deletes them at once.
 *
 * @param websiteLimit of an account without websites
 */
export async function raceForLimit(race: Race, websiteLimit: number): Promise<string[]> {
  const { send, apiKey, name } = race;
  const clients = websiteLimit * 2;
  const answers = await atOnce(clients, (index) =>
    send("POST", websites, apiKey, { domain: `${name}-limit-${index}.example.com` }),
  );
  const created = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ json }) => readMember(json, "code") === "website_limit_reached");
  const found: string[] = [];
  if (created.length !== websiteLimit || refused.length !== clients - websiteLimit) {
    found.push(`${clients} creates against a limit of ${websiteLimit} were answered with ${countStatuses(answers)}.`);
  }
  found.push(...(await judgeCount(race, created.length)));
  const removed = await Promise.all(
    created.map(({ json }) => send("DELETE", `${websites}/${readMember(json, "data", "id")}`, apiKey)),
  );
  if (removed.some(({ status }) => status !== 204)) found.push(`Deletes were answered with ${countStatuses(removed)}.`);
  return [...found, ...(await judgeCount(race, 0))];
}

async function judgeCount({ send, apiKey }: Race, wanted: number): Promise<string[]> {
  const { json } = await send("GET", "/api/v1/account", apiKey);
  const count = readMember(json, "data", "websites", "count");
  return count === wanted ? [] : [`The account should count ${wanted} websites, but counts ${count}.`];
}

/** Clients repeatedly create and delete one domain. No ID is used twice, and only what was not deleted is left. */
export async function takeTurns({ send, apiKey, name }: Race): Promise<string[]> {
  const [clients, turns] = [6, 5];
  const domain = `${name}-turns.example.com`;
  const creates: RawAnswer[] = [];
  const deletes: RawAnswer[] = [];
  await atOnce(clients, async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      const created = await send("POST", websites, apiKey, { domain });
      const id = readMember(created.json, ...(created.status === 201 ? ["data", "id"] : ["website_id"]));
      creates.push(created);
      deletes.push(await send("DELETE", `${websites}/${id}`, apiKey));
    }
  });
  const ids = creates.filter(({ status }) => status === 201).map(({ json }) => readMember(json, "data", "id"));
  const deleted = deletes.filter(({ status }) => status === 204).length;
  const strange = [
    ...creates.filter(({ status }) => ![201, 409].includes(status)),
    ...deletes.filter(({ status }) => ![204, 404].includes(status)),
  ];
  const list = await send("GET", `${websites}?search=${domain}`, apiKey);
  const left = readMember(list.json, "meta", "total");
  return [
    ...strange.map(({ status, text }) => `A create or delete of ${domain} was answered with ${status} ${text}`),
    ...(new Set(ids).size === ids.length ? [] : [`An ID of ${domain} was used twice: ${ids}`]),
    ...(left === ids.length - deleted
      ? []
      : [`${ids.length} creates and ${deleted} deletes left ${left} of ${domain}.`]),
  ];
}
