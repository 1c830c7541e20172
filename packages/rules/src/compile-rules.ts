import { compileNetworks, findEntry, type NetworkTables } from "./addresses/network-table.ts";
import { readAddress } from "./addresses/read-address.ts";
import { type Bot, checkUserAgent, findBot } from "./bots/find-bot.ts";
import { InvalidSettingError } from "./errors/invalid-setting-error.ts";
import { InvalidVisitError } from "./errors/invalid-visit-error.ts";
import { compileHostRule, describeHosts, findForeignHost, type HostRule } from "./hosts/host-rule.ts";
import { checkUrl } from "./hosts/read-host.ts";
import { compileParameters, type ParameterTable } from "./parameters/compile-parameters.ts";
import { removeParameters } from "./parameters/remove-parameters.ts";
import { printable } from "./printable.ts";
import type { ExclusionReason, RuleOptions, RuleSettings, Rules, Verdict, Visit } from "./rules.ts";

/**
 * Compiles the settings of a website into rules that judge visits. The rules are a copy: compile them again when the website changes.
 * Everything that the service stores is valid. It sends nothing, and reads neither a clock nor a file.
 *
 * @param website a website record, or the fields of one that say which visits count
 * @throws InvalidSettingError if the service would refuse a field, if there is no website, or if an option is unknown
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
  const { domain, exclude_bots, exclude_params, exclude_ips } = website;
  // A program without types may pass anything, and `true` would count bots.
  if (exclude_bots !== 0 && exclude_bots !== 1) throw new InvalidSettingError("exclude_bots", "must be 0 or 1");
  requireList("exclude_params", exclude_params);
  requireList("exclude_ips", exclude_ips);
  return new CompiledRules(
    compileHostRule(domain, options.hosts ?? "www"),
    exclude_ips.length === 0 ? undefined : compileNetworks(exclude_ips),
    exclude_bots === 1,
    compileParameters(exclude_params),
  );
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

function requireList(field: "exclude_params" | "exclude_ips", value: unknown): void {
  if (!Array.isArray(value))
    throw new InvalidSettingError(field, "must be an array of strings, as in a website record");
}

/** The address of the visit that is being judged. One for all, because nothing else runs during a judgement. */
const words = new Uint32Array(4);

/** A program may keep one for each of 100,000 websites, so it has no functions of its own, and no empty tables. */
class CompiledRules implements Rules {
  readonly #host: HostRule;
  readonly #networks: NetworkTables | undefined;
  readonly #excludesBots: boolean;
  readonly #parameters: ParameterTable | undefined;

  constructor(
    host: HostRule,
    networks: NetworkTables | undefined,
    excludesBots: boolean,
    parameters: ParameterTable | undefined,
  ) {
    this.#host = host;
    this.#networks = networks;
    this.#excludesBots = excludesBots;
    this.#parameters = parameters;
  }

  judge(visit: Visit): Verdict {
    // A program without types may pass anything.
    const { url, ip, userAgent }: Partial<Visit> = visit ?? {};
    if (userAgent === undefined || ip === undefined) refuseMisspelt(visit);
    checkUrl(url);
    checkUserAgent(userAgent);
    const width = ip === undefined ? 0 : readAddress(ip, words);
    const foreignHost = findForeignHost(this.#host, url);
    if (foreignHost !== undefined) return this.#excludeHost(foreignHost);
    const entry = this.#findEntry(width);
    if (entry !== undefined)
      return exclude("ip", entry, `The address ${ip} matches the entry ${entry} of exclude_ips.`);
    const bot = this.#excludesBots ? findBot(userAgent) : undefined;
    if (bot !== undefined) return excludeBot(bot, userAgent);
    return { counted: true, url: this.#parameters === undefined ? url : removeParameters(url, this.#parameters) };
  }

  #excludeHost(host: string): Verdict {
    const explanation = `The page is on ${printable(host, 100)}, which is not ${describeHosts(this.#host)}.`;
    return exclude("host", this.#host.domain, explanation);
  }

  /** @param width how many words the address of the visit has; 0 if the visit has none */
  #findEntry(width: 0 | 1 | 4): string | undefined {
    const table = width === 1 ? this.#networks?.ipv4 : width === 4 ? this.#networks?.ipv6 : undefined;
    return table === undefined ? undefined : findEntry(table, words);
  }
}

const visitFields = ["url", "ip", "userAgent"] as const satisfies (keyof Visit)[];

/**
 * Refuses a visit with an unknown field in place of one that is missing: a misspelt `userAgent` would make each visit that of a bot.
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
      ? "The visit has no user agent, which every browser sends, and exclude_bots is 1."
      : `The user agent "${printable(userAgent ?? "", 200)}" is that of a bot: it has "${match}", and exclude_bots is 1.`;
  return exclude("bot", rule, explanation);
}

function exclude(reason: ExclusionReason, rule: string, explanation: string): Verdict {
  return { counted: false, reason, rule, explanation };
}
