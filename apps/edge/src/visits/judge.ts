import { compileRules, InvalidVisitError, type Rules } from "@siteward/rules";
import type { MirroredWebsite, WebsiteMirror } from "@siteward/sdk/mirror";
import type { Visit } from "../peers/peer.ts";

/** What the rules say of a visit. */
export interface Outcome {
  /** `unknown`: no website has the host of its page. `unread`: it has no URL. */
  readonly result: "counted" | "host" | "ip" | "bot" | "malformed" | "unknown" | "unread";
  /** The website, and what excludes the visit. */
  readonly domain?: string;
  readonly rule?: string;
  /** What is to be written in place of its URLs. */
  readonly page?: string | undefined;
  readonly referrer?: string | undefined;
}

export type Judge = (visit: Visit, ip: string, userAgent: string | undefined) => Outcome;

/** The rules of 60,000 websites take 75 MB, and to compile those of one takes microseconds. */
const maxCompiled = 10_000;

/** Judges visits by the websites as they are now. A mirror returns the same record until its website changes. */
export function createJudge(websites: WebsiteMirror): Judge {
  const compiled = new Map<MirroredWebsite, Rules>();
  const compile = (website: MirroredWebsite): Rules => {
    if (compiled.size >= maxCompiled) compiled.clear();
    const rules = compileRules(website);
    compiled.set(website, rules);
    return rules;
  };
  return ({ page, domain, referrer = "" }, ip, userAgent) => {
    if (!page) return { result: "unread" };
    const url = trimUrl(page);
    const host = hostOf(url);
    if (host === undefined) return { result: "malformed", rule: "url" };
    const website = websites.byHost(domain ?? host) ?? websites.byHost(host);
    if (website === undefined) return { result: "unknown" };
    return obey(compiled.get(website) ?? compile(website), website, { url, ip, userAgent }, trimUrl(referrer));
  };
}

type JudgedVisit = Parameters<Rules["judge"]>[0];

function obey(rules: Rules, { domain, exclude_ips }: MirroredWebsite, visit: JudgedVisit, referrer: string): Outcome {
  try {
    const verdict = rules.judge(visit);
    if (verdict.counted) {
      const changed = (to: string, from: string) => (to === from ? undefined : to);
      const cleaned = changed(rules.cleanReferrer(referrer), referrer);
      return { result: "counted", domain, page: changed(verdict.url, visit.url), referrer: cleaned };
    }
    // An entry can be the address of a person, so its place is told.
    const place = exclude_ips.indexOf(verdict.rule) + 1;
    return { result: verdict.reason, domain, rule: verdict.reason === "ip" ? `exclude_ips ${place}` : verdict.rule };
  } catch (error) {
    if (error instanceof InvalidVisitError) return { result: "malformed", domain, rule: error.field };
    throw error;
  }
}

/** Removes what parsers of URLs remove: spaces and control characters around it, and line breaks and tabs in it. */
function trimUrl(url: string): string {
  return /[\0- ]/.test(url) ? url.replaceAll(/^[\0- ]+|[\0- ]+$|[\t\n\r]+/g, "") : url;
}

const plain = /^https?:\/\/([a-z\d.-]+?)\.?(?::\d+)?(?:[/?#]|$)/;

/** Of any scheme, since only the rules say which one is malformed. */
function hostOf(url: string): string | undefined {
  return plain.exec(url)?.[1] ?? (URL.parse(url)?.hostname.replace(/\.$/, "") || undefined);
}
