import { atOnce, countStatuses, type Race, readMember } from "./race.ts";

const clients = 16;

/** Creates one domain many times at once. One create succeeds, and the others get its id. */
export async function raceForDomain({ send, apiKey, name }: Race): Promise<string[]> {
  const body = { domain: `${name}-same.example.com` };
  const answers = await atOnce(clients, () => send("POST", "/api/v1/websites", apiKey, body));
  const created = answers.filter(({ status }) => status === 201);
  const taken = answers.filter(({ status }) => status === 409);
  if (created.length !== 1 || taken.length !== clients - 1) {
    return [`${clients} creates of ${body.domain} were answered with ${countStatuses(answers)}.`];
  }
  const id = readMember(created[0]?.json, "data", "id");
  const wrong = taken.filter(({ json }) => readMember(json, "website_id") !== id);
  return wrong.map(({ text }) => `${body.domain} has the id ${id}, but the refusal says ${text}`);
}
