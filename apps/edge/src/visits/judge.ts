import { compileRules, InvalidVisitError, type Rules } from "@siteward/rules";
import type { MirroredWebsite, WebsiteMirror } from "@siteward/sdk/mirror";
import type { Visit } from "../peers/peer.ts";

/** What the rules say of a visit, of which website, and which URLs they leave of one that is counted. */
export interface Outcome {
  /** `unknown`: no website has the host of its page. `unread`: it has no URL. */
  readonly result: "counted" | "host" | "ip" | "bot" | "malformed" | "unknown" | "unread";
  readonly domain?: string;
  readonly rule?: string;
  readonly page?: string;
  readonly referrer?: string | undefined;
}

export type Judge = (visit: Visit, ip: string, userAgent: string | undefined) => Outcome;

/** Judges visits by the websites as they are now. A mirror returns the same record until its website changes. */
export function createJudge(websites: WebsiteMirror): Judge {
  const seen = new Map<MirroredWebsite, Rules | undefined>();
  // To compile takes microseconds, and to collect what is kept takes a pause. So rules are kept from a second visit on.
  const compile = (website: MirroredWebsite) => {
    const rules = compileRules(website);
    if (seen.size >= 10_000) seen.clear();
    seen.set(website, seen.has(website) ? rules : undefined);
    return rules;
  };
  return (visit, ip, userAgent) => {
    if (!visit.page) return { result: "unread" };
    const page = trimUrl(visit.page);
    const host = hostOf(page);
    if (host === undefined) return { result: "malformed", rule: "url" };
    const website = websites.byHost(visit.domain ?? host) ?? websites.byHost(host);
    if (website === undefined) return { result: "unknown" };
    const rules = seen.get(website) ?? compile(website);
    return obey(rules, website, { ...visit, page, ip: visit.ip ?? ip, userAgent: visit.userAgent ?? userAgent });
  };
}

function obey(rules: Rules, { domain, exclude_ips }: MirroredWebsite, visit: Omit<Visit, "set">): Outcome {
  const { page: url = "", referrer, ip, userAgent } = visit;
  try {
    const verdict = rules.judge({ url, ip, userAgent });
    if (!verdict.counted) {
      // An entry can be the address of a person, so its place is told.
      const place = `exclude_ips ${exclude_ips.indexOf(verdict.rule) + 1}`;
      return { result: verdict.reason, domain, rule: verdict.reason === "ip" ? place : verdict.rule };
    }
    const cleaned = referrer?.includes("?") ? rules.cleanReferrer(trimUrl(referrer)) : referrer;
    return { result: "counted", domain, page: verdict.url, referrer: cleaned };
  } catch (error) {
    if (error instanceof InvalidVisitError) return { result: "malformed", domain, rule: error.field };
    throw error;
  }
}

/** Removes what parsers of URLs remove: spaces and control characters around it, and line breaks and tabs in it. */
function trimUrl(url: string): string {
  return /[\0- ]/.test(url) ? url.replaceAll(/^[\0- ]+|(?<![\0- ])[\0- ]+$|[\t\n\r]+/g, "") : url;
}

/** Returns the host of a URL of any scheme, since only the rules say which one is malformed. */
function hostOf(url: string): string | undefined {
  const plain = /^https?:\/\/([a-z\d.-]+?)\.?(?::\d+)?(?:[/?#]|$)/.exec(url)?.[1];
  return plain ?? (URL.parse(url)?.hostname.replace(/\.$/, "") || undefined);
}
