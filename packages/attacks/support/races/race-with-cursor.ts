import { readMember } from "../client/read-member.ts";
import { atOnce, type Race, websites } from "./race.ts";

const lists = [
  ...["sort=asc", "sort=desc", "sort_by=domain&sort=asc", "sort_by=domain&sort=desc", "search=stays&sort=desc"],
];

/** Follows lists page by page while others create and delete. A record that stays appears once, and none appears twice. */
export async function raceWithCursor(race: Race): Promise<string[]> {
  const { send, apiKey, name } = race;
  const [kept, writers] = [35, 4];
  const staying = await atOnce(kept, (index) =>
    send("POST", websites, apiKey, { domain: `${name}-${index}-stays.example.com` }),
  );
  const ids = staying.map(({ json }) => Number(readMember(json, "data", "id")));
  let isDone = false;
  const writing = atOnce(writers, (index) => write(race, index, () => isDone));
  const found = (await Promise.all(lists.map((list) => readList(race, list, ids)))).flat();
  isDone = true;
  await writing;
  await Promise.all(ids.map((id) => send("DELETE", `${websites}/${id}`, apiKey)));
  return found;
}

async function write({ send, apiKey, name }: Race, index: number, isDone: () => boolean): Promise<void> {
  for (let count = 0; !isDone(); count += 1) {
    const domain = `${name}-${(count * 7 + index) % 40}-${index}-${count}-stays-not.example.com`;
    const { json } = await send("POST", websites, apiKey, { domain });
    await send("DELETE", `${websites}/${readMember(json, "data", "id")}`, apiKey);
  }
}

async function readList({ send, apiKey }: Race, list: string, ids: readonly number[]): Promise<string[]> {
  const seen: unknown[] = [];
  let path: string | undefined = `${websites}?per_page=10&${list}`;
  while (path !== undefined) {
    const { status, text, json } = await send("GET", path, apiKey);
    const data = readMember(json, "data");
    if (status !== 200 || !Array.isArray(data)) return [`The list ${list} was answered with ${status} ${text}`];
    seen.push(...data.map((website) => readMember(website, "id")));
    const next = readMember(json, "links", "next");
    path = typeof next === "string" ? next.slice(next.indexOf("/api/")) : undefined;
  }
  const missing = ids.filter((id) => !seen.includes(id));
  return [
    ...(missing.length === 0 ? [] : [`The list ${list} left out ${missing}, which stayed.`]),
    ...(new Set(seen).size === seen.length ? [] : [`The list ${list} repeats a record: ${seen}`]),
  ];
}
