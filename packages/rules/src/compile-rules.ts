import { type Parsed, parseIpNetwork, parseParameterName } from "@siteward/contract/plain";
import { compileNetworks, findEntry, type NetworkRule, readAddress } from "./addresses.ts";
import { type Bot, checkUserAgent, findBot } from "./bots.ts";
import { InvalidSettingError, InvalidVisitError, printable } from "./errors.ts";
import { checkUrl, compileHostRule, describeHosts, findForeignHost, type HostRule, isOfWebsite } from "./hosts.ts";
import { compileParameters, type ParameterRule, removeParameters } from "./parameters.ts";
import type { CountedHosts, ExclusionReason, RuleOptions, RuleSettings, Rules, Verdict, Visit } from "./rules.ts";

/**
 * Compiles the settings of a website into rules that judge visits. The rules are a copy: compile them again when the
 * website changes. Everything that the service stores is valid. It sends nothing, and reads neither a clock nor a file.
 *
 * @param website a website record, or the fields of one that say which visits count
 * @throws InvalidSettingError if no service has ever accepted a field, if there is no website, or if an option is unknown
 * @example
 * const rules = compileRules({
 *   domain: "example.com",
 *   exclude_bots: 1,
 *   exclude_params: ["utm_*"],
 *   exclude_ips: ["203.0.113.0/24"],
 * });
 * rules.judge({ url: "https://example.com/?utm_source=mail&q=1", ip: "198.51.100.7", userAgent });
 * // { counted: true, url: "https://example.com/?q=1" }
 */
export function compileRules(website: RuleSettings, options: RuleOptions = {}): Rules {
  requireObjects(website, options);
  return new CompiledRules(website, options.hosts ?? "www");
}

/** Checks what a program without types may pass. A misspelt option would not do what it says. */
function requireObjects(website: unknown, options: unknown): void {
  if (!isObject(website)) throw new InvalidSettingError("website", "is not an object; pass a website record");
  if (!isObject(options)) throw new InvalidSettingError("options", `is not an object; ${exampleOptions}`);
  for (const name of Object.keys(options)) {
    if (name !== "hosts") throw new InvalidSettingError(name, `is not an option; ${exampleOptions}`);
  }
}

const exampleOptions = 'pass an object such as { hosts: "exact" }';

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Reads the entries of a list, in the form that the service stores or in another that it accepts. */
function readList<Value>(
  field: "exclude_params" | "exclude_ips",
  list: unknown,
  parse: (text: string) => Parsed<Value>,
) {
  if (!Array.isArray(list)) throw new InvalidSettingError(field, "must be an array of strings, as in a website record");
  return list.map((entry: unknown) => {
    if (typeof entry !== "string") throw new InvalidSettingError(field, "contains a value that is not a string");
    const parsed = parse(entry);
    if (parsed.ok) return parsed.value;
    throw new InvalidSettingError(field, `contains ${JSON.stringify(entry.slice(0, 60))}, which ${parsed.reason}`);
  });
}

/** A program may keep one for each of 100,000 websites, so it has no functions of its own, and no empty tables. */
class CompiledRules implements Rules {
  readonly #host: HostRule;
  readonly #networks: NetworkRule | undefined;
  readonly #excludesBots: boolean;
  readonly #parameters: ParameterRule | undefined;

  constructor({ domain, exclude_bots, exclude_params, exclude_ips }: RuleSettings, hosts: CountedHosts) {
    // A program without types may pass anything, and `true` would count bots.
    if (exclude_bots !== 0 && exclude_bots !== 1) throw new InvalidSettingError("exclude_bots", "must be 0 or 1");
    const parameters = readList("exclude_params", exclude_params, parseParameterName);
    const networks = readList("exclude_ips", exclude_ips, parseIpNetwork);
    this.#host = compileHostRule(domain, hosts);
    this.#networks = networks.length === 0 ? undefined : compileNetworks(exclude_ips, networks);
    this.#excludesBots = exclude_bots === 1;
    this.#parameters = parameters.length === 0 ? undefined : compileParameters(parameters);
  }

  judge(visit: Visit): Verdict {
    // A program without types may pass anything.
    const { url, ip, userAgent }: Partial<Visit> = visit ?? {};
    if (userAgent === undefined || ip === undefined) refuseMisspelt(visit);
    checkUrl(url);
    checkUserAgent(userAgent);
    const address = ip === undefined ? undefined : readAddress(ip);
    const foreignHost = findForeignHost(this.#host, url);
    if (foreignHost !== undefined) {
      const explanation = `The page is on ${printable(foreignHost, 100)}, which is not ${describeHosts(this.#host)}.`;
      return exclude("host", this.#host.domain, explanation);
    }
    const entry = this.#networks && address && findEntry(this.#networks, address);
    if (entry !== undefined) return exclude("ip", entry, `The address ${ip} matches the excluded entry ${entry}.`);
    const bot = this.#excludesBots ? findBot(userAgent) : undefined;
    if (bot !== undefined) return excludeBot(bot, userAgent);
    return { counted: true, url: removeParameters(this.#parameters, url) };
  }

  cleanReferrer(referrer: string): string {
    return isOfWebsite(this.#host, referrer) ? removeParameters(this.#parameters, referrer) : referrer;
  }
}

const visitFields = ["url", "ip", "userAgent"] as const satisfies (keyof Visit)[];

/**
 * Refuses a visit with an unknown field in place of one that is missing: a misspelt `userAgent` would make each visit
 * that of a bot.
 *
 * @throws InvalidVisitError
 */
function refuseMisspelt(visit: object | undefined): void {
  if (!isObject(visit)) return;
  const missing = visitFields.find((field) => !(field in visit));
  if (missing === undefined) return;
  const unknown = Object.keys(visit).find((name) => !visitFields.some((field) => field === name));
  if (unknown === undefined) return;
  const fault = `is missing, and "${printable(unknown, 60)}" is not a field; send only ${visitFields.join(", ")}`;
  throw new InvalidVisitError(missing, fault);
}

function excludeBot({ rule, match }: Bot, userAgent: string | undefined): Verdict {
  const explanation =
    match === undefined
      ? "The visit has no user agent, which every browser sends, and bots are excluded."
      : `The user agent "${printable(userAgent ?? "", 200)}" is that of a bot: it has "${match}", and bots are excluded.`;
  return exclude("bot", rule, explanation);
}

function exclude(reason: ExclusionReason, rule: string, explanation: string): Verdict {
  return { counted: false, reason, rule, explanation };
}
