import { isbot, isbotMatch, isbotPattern } from "isbot";
import { InvalidVisitError, printable } from "./errors.ts";

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
/** This many user agents with 512 characters take 2 MB. */
const maxKnown = 2000;

/** For all websites of the program, since what is a bot does not depend on the website. */
const known = new Map<string, Bot | undefined>();
const withoutUserAgent: Bot = { rule: "^$" };

/** Returns why the user agent is that of a bot. Returns undefined if it is not. */
export function findBot(userAgent: string | undefined): Bot | undefined {
  if (userAgent === undefined || userAgent === "") return withoutUserAgent;
  // Clients choose user agents, so a long one must not stay in memory.
  if (userAgent.length > maxLength) return readPatterns(userAgent.slice(0, maxLength));
  const bot = known.get(userAgent);
  if (bot !== undefined || known.has(userAgent)) return bot;
  const found = readPatterns(userAgent);
  if (known.size >= maxKnown) known.clear();
  known.set(copyOf(userAgent), found);
  return found;
}

/** Which pattern it is takes ten times as long to find as whether there is one. */
function readPatterns(userAgent: string): Bot | undefined {
  if (!isbot(userAgent)) return undefined;
  // A match is a part of the user agent, and stays in memory with it.
  return { rule: isbotPattern(userAgent) ?? "", match: copyOf(printable(isbotMatch(userAgent) ?? "", maxMatchLength)) };
}

/** Copies a string. A part of a string keeps all of it in memory, such as the megabytes of a log. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}

/** Checks the type, also for a website that counts bots: a malformed visit is an error, whatever the settings are. */
export function checkUserAgent(userAgent: unknown): void {
  if (userAgent === undefined || typeof userAgent === "string") return;
  throw new InvalidVisitError("userAgent", "must be a string; send the header User-Agent of the visitor");
}
