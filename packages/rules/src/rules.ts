import type { readOnlyFields } from "@siteward/contract/plain";
import type { Website } from "@siteward/contract/types";

/** What each setting of a website means for a visit. */
interface Meanings {
  privacy: "not applicable";
  email: "not applicable";
  exclude_bots: "obeyed";
  exclude_params: "obeyed";
  exclude_ips: "obeyed";
}

type Setting = Exclude<keyof Website, (typeof readOnlyFields)[number]>;

/** The settings that the rules obey. A setting whose meaning is not listed does not compile. */
type Obeyed<All extends Record<Setting, "obeyed" | "not applicable">> = {
  [Field in keyof All]: All[Field] extends "obeyed" ? Field : never;
}[keyof All];

type RuleFields = Pick<Website, "domain" | Obeyed<Meanings>>;

/** The fields of a website that say which visits count. A website record has them. */
export type RuleSettings = { readonly [Field in keyof RuleFields]: Readonly<RuleFields[Field]> };

/**
 * Which hosts belong to a website: its domain alone (`exact`), its domain with and without `www.` (`www`), or these and
 * all their subdomains (`subdomains`).
 */
export type CountedHosts = "exact" | "www" | "subdomains";

/** How to read the settings of a website. */
export interface RuleOptions {
  /**
   * Which hosts belong to the website.
   *
   * @default "www"
   */
  readonly hosts?: CountedHosts | undefined;
}

/**
 * A page view to judge. If `ip` or `userAgent` is not a field of it, an unknown field is an error, since it can be a
 * misspelt one. Pass `undefined` for what you do not know.
 */
export interface Visit {
  /** The absolute URL of the page, as `location.href` has it. */
  readonly url: string;
  /** The IP address of the visitor, without a port. If it is missing, no entry of `exclude_ips` is compared. */
  readonly ip?: string | undefined;
  /**
   * The header `User-Agent` of the visitor. Every browser sends one. So if it is missing or empty, the visit is that of
   * a bot. If you do not know it, compile the rules with `exclude_bots: 0`.
   */
  readonly userAgent?: string | undefined;
}

/** What the settings of a website say about a visit. */
export type Verdict = CountedVerdict | ExcludedVerdict;

/** The visit is counted. */
export interface CountedVerdict {
  readonly counted: true;
  /** The URL of the page without the parameters that `exclude_params` names. All other bytes are those of the visit. */
  readonly url: string;
}

/** The visit is not counted. */
export interface ExcludedVerdict {
  readonly counted: false;
  readonly reason: ExclusionReason;
  /**
   * What matched: the domain of the website for `host`, the entry of `exclude_ips` for `ip`, and the regular expression
   * of isbot for `bot`, which is `^$` if the visit has no user agent.
   */
  readonly rule: string;
  /** What was judged and why it is not counted: one sentence of printable ASCII, so that a header can contain it. */
  readonly explanation: string;
}

/** Why a visit is not counted: the page is of another website, the address is excluded, or a bot sent the visit. */
export type ExclusionReason = "host" | "ip" | "bot";

/** The compiled settings of a website. */
export interface Rules {
  /**
   * Judges a visit. A malformed visit is an error, whatever the settings are. Then the host is judged, then the IP
   * address, then the user agent, and the first that is excluded is the reason.
   *
   * @throws InvalidVisitError if a field of the visit is malformed
   * @example
   * const rules = compileRules(website);
   * const verdict = rules.judge({ url: "https://example.com/?utm_source=mail", ip: "203.0.113.7", userAgent });
   * console.log(verdict.counted ? verdict.url : verdict.explanation);
   */
  judge(visit: Visit): Verdict;

  /**
   * Returns the page from which a visitor came without the parameters that `exclude_params` names, if its host belongs
   * to the website. Any other text is returned as it is.
   */
  cleanReferrer(referrer: string): string;
}
