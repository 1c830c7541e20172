import type { RawAnswer } from "../client/raw-connection.ts";
import { atOnce, type Race, readMember } from "./race.ts";

const clients = 6;
const turns = 5;

/** Clients repeatedly create and delete one domain. No id is used twice, and only what was not deleted is left. */
export async function takeTurns({ send, apiKey, name }: Race): Promise<string[]> {
  const domain = `${name}-turns.example.com`;
  const answers: { readonly method: string; readonly answer: RawAnswer }[] = [];
  await atOnce(clients, async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      const created = await send("POST", "/api/v1/websites", apiKey, { domain });
      const id = readMember(created.json, ...(created.status === 201 ? ["data", "id"] : ["website_id"]));
      const deleted = await send("DELETE", `/api/v1/websites/${id}`, apiKey);
      answers.push({ method: "POST", answer: created }, { method: "DELETE", answer: deleted });
    }
  });
  const strange = answers.filter(({ method, answer }) => !allowed[method]?.includes(answer.status));
  const ids = answers
    .filter(({ answer }) => answer.status === 201)
    .map(({ answer }) => readMember(answer.json, "data", "id"));
  const deletes = answers.filter(({ answer }) => answer.status === 204).length;
  const list = await send("GET", `/api/v1/websites?search=${domain}`, apiKey);
  const left = readMember(list.json, "meta", "total");
  return [
    ...strange.map(({ method, answer }) => `${method} of ${domain} was answered with ${answer.status} ${answer.text}`),
    ...(new Set(ids).size === ids.length ? [] : [`An id of ${domain} was used twice: ${ids}`]),
    ...(left === ids.length - deletes
      ? []
      : [`${ids.length} creates and ${deletes} deletes left ${left} of ${domain}.`]),
  ];
}

const allowed: Readonly<Record<string, readonly number[]>> = { POST: [201, 409], DELETE: [204, 404] };
