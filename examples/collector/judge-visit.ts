import { compileRules, type Rules, type Visit } from "@siteward/rules";
import type { MirroredWebsite, WebsiteMirror } from "@siteward/sdk/mirror";

/** Whether a visit counts and for which website, or why not. */
export type Judgement =
  | { readonly counted: true; readonly website: MirroredWebsite; readonly url: string }
  | { readonly counted: false; readonly explanation: string };

/** A request that is not answered as it was meant. */
export class RefusedRequest extends Error {
  readonly status: number;
  readonly field: string | undefined;

  constructor(status: number, message: string, field?: string) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

/** URLs of browsers are longer in theory only. */
const maxUrlLength = 4000;

/**
 * Reads the fields of a body or a query, and checks what is written. The rules check the rest. Only who sends the token may say which
 * visitor it was.
 */
export function readVisit(fields: Readonly<Record<string, unknown>>, isTrusted: boolean): Visit {
  const known = isTrusted ? ["url", "ip", "user_agent"] : ["url"];
  const read = (name: string): string | undefined => {
    const value = fields[name];
    if (value === undefined || typeof value === "string") return value;
    throw new RefusedRequest(400, `${name} is not a string; send one.`, name);
  };
  for (const name of Object.keys(fields)) {
    if (known.includes(name)) continue;
    if (name === "ip" || name === "user_agent") throw new RefusedRequest(403, `${name} needs the token.`, name);
    throw new RefusedRequest(400, `${name} is not a field; send ${known.join(", ")}.`, name);
  }
  const url = read("url");
  if (url === undefined) throw new RefusedRequest(400, "url is missing; send the URL of the page.", "url");
  if (url.length > maxUrlLength) {
    throw new RefusedRequest(400, `url has ${url.length} characters; send at most ${maxUrlLength}.`, "url");
  }
  return { url, ip: read("ip"), userAgent: read("user_agent") };
}

/** Throws what is wrong with a visit, also if no website has its host. */
const anyRules = compileRules({ domain: "example.com", exclude_bots: 0, exclude_params: [], exclude_ips: [] });

/**
 * Returns a function that judges a visit by the rules of the website of its page. It throws an `InvalidVisitError` if the visit is
 * malformed. The mirror returns the same record until it changes, so rules are compiled once for each version of a website.
 */
export function createJudge(websites: WebsiteMirror): (visit: Visit) => Judgement {
  const compiled = new WeakMap<MirroredWebsite, Rules>();
  return (visit) => {
    anyRules.judge(visit);
    const website = websites.byHost(new URL(visit.url).hostname.replace(/\.$/, ""));
    if (website === undefined) {
      return { counted: false, explanation: "No website of the account has the host of the page." };
    }
    const rules = compiled.get(website) ?? compileRules(website);
    compiled.set(website, rules);
    const verdict = rules.judge(visit);
    return verdict.counted ? { counted: true, website, url: verdict.url } : verdict;
  };
}
