import type { RawAnswer } from "../client/raw-connection.ts";
import type { Clock } from "../services/open-clock.ts";
import type { LimitedKey } from "./limited-key.ts";

/** What the headers of an answer say. */
interface Fields {
  readonly limit: number;
  readonly remaining: number;
  readonly dueInSeconds: number;
}

/** A minute fills a bucket that is empty. */
const minuteMs = 60_000;

/** Checks a new key: as many requests pass as each answer says, no more, and one more when the refusal says. */
export async function judgeFields(key: LimitedKey, clock: Clock): Promise<string[]> {
  const first = readFields(await key.send());
  if (first === undefined) return ["an answer has no RateLimit and RateLimit-Policy headers."];
  const breaches: string[] = [];
  if (first.limit !== key.limit) breaches.push(`RateLimit-Policy says ${first.limit}.`);
  for (let left = first.remaining; left > 0; left -= 1) {
    const answer = await key.send();
    const said = readFields(answer)?.remaining;
    if (answer.status !== 200 || said !== left - 1)
      breaches.push(`${left} remained, and then ${answer.status} with ${said}.`);
  }
  const refused = await key.send();
  const due = readFields(refused)?.dueInSeconds ?? 0;
  const retryAfter = Number(refused.headers.get("retry-after"));
  if (refused.status !== 429 || retryAfter !== due)
    breaches.push(`${refused.status}, Retry-After ${retryAfter}, t=${due}.`);
  clock.advance(due * 1_000 - 1);
  const tooEarly = await key.send(1);
  clock.advance(1);
  const statuses = [tooEarly, await key.send(1), await key.send(1)].map(({ status }) => status).join(" ");
  if (statuses !== "429 200 429") breaches.push(`before, at and after the time that t says: ${statuses}.`);
  return breaches;
}

/** Checks that all workers together grant the limit once, also after the clock has jumped forward and back. */
export async function judgeJumps(key: LimitedKey, clock: Clock, jumpMs: number): Promise<string[]> {
  const breaches: string[] = [];
  const check = async (when: string, [min, max]: readonly [min: number, max: number]) => {
    const granted = await key.useUp();
    if (granted < min || granted > max)
      breaches.push(`${when}, ${granted} requests passed instead of ${min} to ${max}.`);
  };
  // What one worker holds in advance, and gives back within a second or two, another one cannot grant.
  const full = [key.limit - Math.ceil(key.limit / 4), key.limit] as const;
  clock.advance(minuteMs);
  await check("after a minute", full);
  clock.advance(jumpMs);
  await check(`after a jump by ${jumpMs} ms`, full);
  clock.advance(-jumpMs);
  await check("after the jump back", [0, 0]);
  clock.advance(minuteMs);
  await check("a minute after the jump back", full);
  return breaches;
}

function readFields({ headers }: RawAnswer): Fields | undefined {
  const policy = /^"default";q=(\d+);w=60$/.exec(headers.get("ratelimit-policy") ?? "");
  const state = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit") ?? "");
  if (policy === null || state === null) return undefined;
  return { limit: Number(policy[1]), remaining: Number(state[1]), dueInSeconds: Number(state[2]) };
}
