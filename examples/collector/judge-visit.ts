import { type CountedHosts, compileRules, type Rules, type Visit } from "@siteward/rules";
import type { MirroredWebsite, WebsiteMirror } from "@siteward/sdk/mirror";

/** Whether a visit counts and for which website, or why not. */
export type Judgement =
  | { readonly counted: true; readonly website: MirroredWebsite; readonly url: string }
  | { readonly counted: false; readonly explanation: string };

/** Longer names are not in the DNS. */
const maxHostLength = 253;

/** Throws what is wrong with a visit, also if no website has its host. */
const anyRules = compileRules({ domain: "example.com", exclude_bots: 0, exclude_params: [], exclude_ips: [] });

/**
 * Returns a function that judges a visit by the rules of the website of its page. It throws an `InvalidVisitError` if the visit is
 * malformed. The mirror returns the same record until it changes, so rules are compiled once for each version of a website.
 */
export function createJudge(websites: WebsiteMirror, hosts: CountedHosts): (visit: Visit) => Judgement {
  const compiled = new WeakMap<MirroredWebsite, Rules>();
  return (visit) => {
    anyRules.judge(visit);
    const website = findWebsite(websites, new URL(visit.url).hostname.replace(/\.$/, ""));
    if (website === undefined)
      return { counted: false, explanation: "No website of the account has the host of the page." };
    const rules = compiled.get(website) ?? compileRules(website, { hosts });
    compiled.set(website, rules);
    const verdict = rules.judge(visit);
    return verdict.counted ? { counted: true, website, url: verdict.url } : verdict;
  };
}

/**
 * Returns the website that is closest to a host: for `a.shop.example`, that of `shop.example` before that of `example`. Its rules say
 * whether the host is its own.
 */
function findWebsite(websites: WebsiteMirror, host: string): MirroredWebsite | undefined {
  if (host.length > maxHostLength) return undefined;
  const labels = host.split(".");
  // A website has no such label, and a mirror takes ten times as long to find that out as to look up a plain name.
  const first = labels.findLastIndex((label) => !/^[a-z\d-]+$/.test(label)) + 1;
  for (let start = first; start < labels.length; start += 1) {
    const name = labels.slice(start).join(".");
    const website = websites.byDomain(name) ?? websites.byDomain(`www.${name}`);
    if (website !== undefined) return website;
  }
  return undefined;
}
