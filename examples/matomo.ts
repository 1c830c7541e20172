// Runs on Node 22.18 or later. In a clone, run pnpm build first.
import { parseArgs } from "node:util";
import { Siteward } from "@siteward/sdk";

const usage = `Usage: node examples/matomo.ts [--apply]
Pushes exclude_ips and exclude_params to Matomo 4 or 5. What Siteward says wins. Without --apply it only shows what would change.
Set SITEWARD_API_KEY, MATOMO_URL, such as https://matomo.example/, and MATOMO_TOKEN, that of an admin of the websites.
Matomo takes all of exclude_ips. It compares parameter names in any case and as the URL spells them, and always
excludes the bots that it knows. What it cannot express is named on standard error, and not pushed.`;

// Matomo 5.2 empties each of these lists that an update omits, so an update contains all of them.
const parameterOf = {
  excluded_ips: "excludedIps",
  excluded_parameters: "excludedQueryParameters",
  excluded_user_agents: "excludedUserAgents",
  excluded_referrers: "excludedReferrers",
  sitesearch_keyword_parameters: "searchKeywordParameters",
  sitesearch_category_parameters: "searchCategoryParameters",
};
type Site = { [List in keyof typeof parameterOf]?: string } & { idsite: number | string; main_url: string };

// What stops the program is a setting, Siteward or Matomo, so it is one line, without a stack.
process.on("uncaughtException", ({ message, cause }) => {
  console.error(cause instanceof Error ? `${message}: ${cause.message}` : message);
  process.exit(1);
});
const options = { apply: { type: "boolean" }, help: { type: "boolean" } } as const;
const { apply = false, help } = parseArgs({ options }).values;
if (help) {
  console.log(usage);
  process.exit();
}
const { MATOMO_URL = "", MATOMO_TOKEN } = process.env;
if (!/^https?:/.test(MATOMO_URL) || !URL.canParse(MATOMO_URL))
  throw new Error(`MATOMO_URL is "${MATOMO_URL}"; set a URL such as https://matomo.example/.`);
const { href } = new URL("index.php", MATOMO_URL.replace(/\/?$/, "/"));
if (!MATOMO_TOKEN) throw new Error("Set MATOMO_TOKEN to the token of an admin of the websites.");
const access = { module: "API", format: "json", token_auth: MATOMO_TOKEN };
const all = await new Siteward().websites.list().toArray({ limit: Infinity }); // Reads SITEWARD_API_KEY and SITEWARD_BASE_URL.
const byDomain = new Map(all.map((website) => [website.domain, website]));
const missing = new Set(byDomain.keys());
const updates: { domain: string; url: string }[] = [];
for (const site of await callMatomo<Site>("SitesManager.getSitesWithAdminAccess", { filter_limit: "-1" })) {
  const host = URL.parse(site.main_url)?.hostname ?? "";
  const website = byDomain.get(host) ?? byDomain.get(host.replace(/^www\./, "")) ?? byDomain.get(`www.${host}`);
  if (website === undefined) continue;
  const { domain, exclude_ips: excluded_ips } = website;
  missing.delete(domain);
  if (website.exclude_bots === 0) console.error(`${domain}: Matomo cannot include bots, as exclude_bots 0 says.`);
  const unknown = website.exclude_params.filter((name) => toMatomo(name) === undefined);
  if (unknown.length > 0) console.error(`${domain}: Matomo cannot exclude the parameters ${unknown.join(" ")}`);
  const excluded_parameters = website.exclude_params.flatMap((name) => toMatomo(name) ?? []);
  const differences = [
    ...compare("IP addresses", site.excluded_ips, excluded_ips),
    ...compare("parameters", site.excluded_parameters, excluded_parameters),
  ];
  if (differences.length === 0) continue;
  console.log(`${domain}, site ${site.idsite}: ${differences.join("; ")}`);
  const wanted: Record<string, unknown> = { ...site, excluded_ips, excluded_parameters };
  const url = new URLSearchParams({ method: "SitesManager.updateSite", idSite: String(site.idsite) });
  for (const [list, parameter] of Object.entries(parameterOf)) url.set(parameter, String(wanted[list] ?? ""));
  updates.push({ domain, url: String(url) });
}
const names = [...missing].slice(0, 5).join(", ") + (missing.size > 5 ? ", …" : "");
if (missing.size > 0) console.error(`Matomo does not have ${missing.size} of the websites: ${names}`);
let failed = 0;
for (let start = 0; apply && start < updates.length; start += 20) {
  const bulk = updates.slice(start, start + 20);
  const urls = Object.fromEntries(bulk.map(({ url }, index) => [`urls[${index}]`, url]));
  const answers = await callMatomo<{ result: string; message: string }>("API.getBulkRequest", urls);
  for (const [index, { domain }] of bulk.entries()) {
    if (answers[index]?.result === "success") continue;
    console.error(`${domain}: Matomo refused the update: ${answers[index]?.message}`);
    failed += 1;
  }
}
console.log({ websites: all.length, different: updates.length, updated: apply ? updates.length - failed : 0, failed });
process.exitCode = failed === 0 ? 0 : 1;

/** Returns a name, or a regular expression: PHP reads what is between symbols as one, such as _ga_, so that is written as one. */
function toMatomo(parameter: string): string | undefined {
  if (!/^[\w.~$:-]+\*?$/.test(parameter)) return undefined;
  if (/^[a-z\d][^*]*$/i.test(parameter)) return parameter;
  const pattern = parameter.replaceAll(/[.$]/g, "\\$&");
  return pattern.endsWith("*") ? `/^${pattern.slice(0, -1)}/` : `/^${pattern}$/`;
}

function compare(name: string, text = "", wanted: readonly string[]): string[] {
  const current = text.split(",").filter(Boolean);
  const added = wanted.filter((entry) => !current.includes(entry)).map((entry) => ` +${entry}`);
  const removed = current.filter((entry) => !wanted.includes(entry)).map((entry) => ` -${entry}`);
  return added.length + removed.length === 0 ? [] : [`${name}${added.join("")}${removed.join("")}`];
}

/** Sends a form, so that no log contains the token. Matomo answers most errors with status 200, but never with a list. */
async function callMatomo<Item>(method: string, parameters: Record<string, string>): Promise<Item[]> {
  const body = new URLSearchParams({ ...access, method, ...parameters });
  const response = await fetch(href, { method: "POST", body, redirect: "error", signal: AbortSignal.timeout(60_000) });
  const text = await response.text();
  const json: unknown = await new Response(text).json().catch(() => null);
  const answer = json as Item[] | { message?: string } | null; // As Matomo documents.
  if (Array.isArray(answer)) return answer;
  const reason = answer?.message ?? `${JSON.stringify(text.slice(0, 100))}. Is MATOMO_URL right?`;
  throw new Error(`Matomo answered ${method} with ${response.status}: ${reason}`);
}
