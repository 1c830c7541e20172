import type { RawAnswer } from "../client/raw-connection.ts";
import { readMember } from "../client/read-member.ts";
import { atOnce, countStatuses, type Race, websites } from "./race.ts";

const updates = 12;
const deletes = 3;

/** Updates one record many times at once. In half of the races, other clients delete it meanwhile. */
export async function raceForRecord({ send, apiKey, random, name }: Race): Promise<string[]> {
  const created = await send("POST", websites, apiKey, { domain: `${name}-record.example.com` });
  const path = `${websites}/${readMember(created.json, "data", "id")}`;
  const isDeleted = random.chance(0.5);
  const update = (index: number) => send("PUT", path, apiKey, { exclude_params: [`mark-${index}`] });
  const remove = () => send("DELETE", path, apiKey);
  const before = await atOnce(2, update);
  const [changed, removed] = await Promise.all([
    atOnce(updates, (index) => update(index + 2)),
    isDeleted ? atOnce(deletes, remove) : [],
  ]);
  const last = await send("GET", path, apiKey);
  const answers = [...before, ...changed];
  const found = [...judgeVersions(created, answers), ...judgeMarks(answers)];
  if (isDeleted && removed.filter(({ status }) => status === 204).length !== 1) {
    found.push(`${deletes} deletes of ${path} were answered with ${countStatuses(removed)}.`);
  }
  const strange = [...answers, ...removed].filter(
    ({ status }) => ![200, 204, ...(isDeleted ? [404] : [])].includes(status),
  );
  if (strange.length > 0) found.push(`Changes of ${path} were answered with ${countStatuses(strange)}.`);
  const newest = newestOf(answers);
  if (isDeleted ? last.status !== 404 : last.text !== newest?.text) {
    found.push(`${path} should be ${isDeleted ? "gone" : newest?.text}, but is ${last.text}`);
  }
  return found;
}

/** Each update has its own version, and no version is missing. */
function judgeVersions(created: RawAnswer, answers: readonly RawAnswer[]): string[] {
  const versions = answers
    .filter(({ status }) => status === 200)
    .map(versionOf)
    .sort((left, right) => left - right);
  const wanted = versions.map((_, index) => versionOf(created) + index + 1);
  return versions.join() === wanted.join() ? [] : [`Versions should be ${wanted}, but are ${versions}.`];
}

/** The answer to an update contains what that update wrote, not what a later one wrote. */
function judgeMarks(answers: readonly RawAnswer[]): string[] {
  return answers.flatMap(({ status, json, text }, index) => {
    const isOwn = readMember(json, "data", "exclude_params", 0) === `mark-${index}`;
    return status !== 200 || isOwn ? [] : [`Update ${index} was answered with ${text}`];
  });
}

function newestOf(answers: readonly RawAnswer[]): RawAnswer | undefined {
  const done = answers.filter(({ status }) => status === 200);
  return done.toSorted((left, right) => versionOf(right) - versionOf(left))[0];
}

function versionOf({ headers }: RawAnswer): number {
  return Number(/-(\d+)"$/.exec(headers.get("etag") ?? "")?.[1]);
}
