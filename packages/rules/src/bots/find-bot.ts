import { isbot, isbotMatch, isbotPattern } from "isbot";
import { InvalidVisitError } from "../errors/invalid-visit-error.ts";
import { printable } from "../printable.ts";
import { copyOf } from "./copy-of.ts";
import { RecentValues } from "./recent-values.ts";

/** Why a user agent is that of a bot. */
export interface Bot {
  /** The regular expression that the user agent matches. */
  readonly rule: string;
  /** The beginning of what matches it, as printable ASCII. Undefined if there is no user agent. */
  readonly match?: string;
}

/** Real user agents are shorter. The patterns take up to 40 µs for this many characters, and longer for more. */
const maxLength = 512;
/** A match can be the entire user agent. */
const maxMatchLength = 60;
/** Two generations of this many user agents with 512 characters take 2 MB. */
const maxRecent = 1000;

/** For all websites of the program, since what is a bot does not depend on the website. */
const recent = new RecentValues<Bot | false>(maxRecent);
const withoutUserAgent: Bot = { rule: "^$" };

/** Returns why the user agent is that of a bot. Returns undefined if it is not. @throws InvalidVisitError */
export function findBot(userAgent: string | undefined): Bot | undefined {
  if (userAgent === undefined || userAgent === "") return withoutUserAgent;
  const known = recent.get(userAgent);
  if (known !== undefined) return known || undefined;
  const isLong = userAgent.length > maxLength;
  const found = readPatterns(isLong ? userAgent.slice(0, maxLength) : userAgent);
  // Clients choose user agents, so a long one must not stay in memory.
  if (!isLong) recent.set(userAgent, found ?? false);
  return found;
}

/** Which pattern it is takes ten times as long to find as whether there is one. */
function readPatterns(userAgent: string): Bot | undefined {
  if (!isbot(userAgent)) return undefined;
  // A match is a part of the user agent, and stays in memory with it.
  return { rule: isbotPattern(userAgent) ?? "", match: copyOf(printable(isbotMatch(userAgent) ?? "", maxMatchLength)) };
}

/** Checks the type, also for a website that counts bots: a malformed visit is an error, whatever the settings are. */
export function checkUserAgent(userAgent: unknown): void {
  if (userAgent === undefined || typeof userAgent === "string") return;
  throw new InvalidVisitError("userAgent", "must be a string; send the header User-Agent of the visitor");
}
