import { isIP } from "node:net";
import type { CountedHosts } from "@siteward/rules";

/** What the operator chooses, each from a variable of the environment. */
export interface Settings {
  /** COLLECTOR_HOST: where the collector listens. Default: 127.0.0.1, behind a proxy that adds TLS. */
  readonly host: string;
  /** COLLECTOR_PORT. Default: 3100. With 0, the system chooses a free one. */
  readonly port: number;
  /**
   * COLLECTOR_FILE: the visits that count, one JSON object per line, in a folder that exists. Each collector needs its own. Default:
   * visits.ndjson.
   */
  readonly file: string;
  /** COLLECTOR_MAX_FILE_MB: past this size, visits are refused until the file is moved away. Default: 1024. */
  readonly maxFileBytes: number;
  /** COLLECTOR_SETTINGS_FILE: the last settings of all websites, for a start while Siteward is away. Default: websites.json. */
  readonly settingsFile: string;
  /** COLLECTOR_INTERVAL_MS: how often the collector asks for changed settings. Default: 15000. */
  readonly intervalMs: number;
  /** COLLECTOR_TOKEN: who sends it may name an address, and is told why a visit does not count. Default: nobody. */
  readonly token: string | undefined;
  /** COLLECTOR_TRUST_PROXY: a number of proxies, or their addresses and networks, separated by commas. Default: off. */
  readonly trustProxy: false | number | string[];
  /** COLLECTOR_HOSTS: `exact`, `www` or `subdomains`, the hosts whose pages belong to a domain. Default: www. */
  readonly hosts: CountedHosts;
}

export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const read = (name: string, standard: string): string => env[`COLLECTOR_${name}`] || standard;
  const readNumber = (name: string, standard: number, least: number, most: number): number => {
    const text = read(name, String(standard));
    if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new Error(`COLLECTOR_${name} is "${text}"; set a whole number from ${least} to ${most}.`);
  };
  const hosts = read("HOSTS", "www");
  if (hosts !== "exact" && hosts !== "www" && hosts !== "subdomains") {
    throw new Error(`COLLECTOR_HOSTS is "${hosts}"; set exact, www or subdomains.`);
  }
  const token = read("TOKEN", "");
  if (token !== "" && token.length < 16) throw new Error("COLLECTOR_TOKEN is too short; set at least 16 characters.");
  return {
    host: read("HOST", "127.0.0.1"),
    port: readNumber("PORT", 3100, 0, 65_535),
    file: read("FILE", "visits.ndjson"),
    maxFileBytes: readNumber("MAX_FILE_MB", 1024, 1, 1_000_000) * 1024 * 1024,
    settingsFile: read("SETTINGS_FILE", "websites.json"),
    intervalMs: readNumber("INTERVAL_MS", 15_000, 100, 3_600_000),
    token: token === "" ? undefined : token,
    trustProxy: readTrustProxy(read("TRUST_PROXY", "off")),
    hosts,
  };
}

function readTrustProxy(text: string): Settings["trustProxy"] {
  if (text === "off") return false;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const networks = text.split(",").map((network) => network.trim());
  if (networks.every((network) => isIP(network.replace(/\/\d{1,3}$/, "")) !== 0)) return networks;
  throw new Error(`COLLECTOR_TRUST_PROXY is "${text}"; set off, a number of proxies, or their addresses with commas.`);
}
