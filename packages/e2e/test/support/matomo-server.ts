import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "@siteward/testing/listen";

/** A website as `SitesManager.getSitesWithAdminAccess` returns it: lists are strings with commas. */
export type MatomoSite = Readonly<Record<string, string | number>> & { readonly idsite: number };

/** A server that answers as Matomo 5.2 does (plugins/SitesManager/API.php and plugins/API/API.php of its sources). */
export interface MatomoServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly sites: () => readonly MatomoSite[];
  /** The methods that were called since the last call of this function, those within a bulk request too. */
  readonly takeMethods: () => string[];
}

/** The parameter of `updateSite` for each list. */
const listOfParameter: Readonly<Record<string, string>> = {
  searchKeywordParameters: "sitesearch_keyword_parameters",
  searchCategoryParameters: "sitesearch_category_parameters",
  excludedIps: "excluded_ips",
  excludedQueryParameters: "excluded_parameters",
  excludedUserAgents: "excluded_user_agents",
  excludedReferrers: "excluded_referrers",
};
const emptySite = Object.fromEntries(Object.values(listOfParameter).map((list) => [list, ""]));

export async function startMatomoServer(first: readonly MatomoSite[]): Promise<MatomoServer> {
  const token = "0123456789abcdef0123456789abcdef";
  const sites = new Map(first.map((site) => [site.idsite, { ...emptySite, ...site } as MatomoSite]));
  let methods: string[] = [];

  const call = (parameters: URLSearchParams): unknown => {
    const method = parameters.get("method") ?? "";
    methods.push(method);
    if (method === "SitesManager.getSitesWithAdminAccess") return [...sites.values()];
    if (method === "SitesManager.updateSite") return updateSite(parameters);
    if (method !== "API.getBulkRequest") return fail(`The method '${method}' does not exist or is not available.`);
    const urls = [...parameters].filter(([name]) => /^urls\[\d*\]$/.test(name));
    return urls.map(([, url]) => call(new URLSearchParams(url)));
  };

  const updateSite = (parameters: URLSearchParams): unknown => {
    const site = sites.get(Number(parameters.get("idSite")));
    if (site === undefined) return fail(`website id = ${parameters.get("idSite")} not found`);
    // Matomo reads a list that is missing as an empty one.
    const lists = Object.entries(listOfParameter).map(([parameter, list]) => [list, parameters.get(parameter) ?? ""]);
    const changed: MatomoSite = { ...site, ...Object.fromEntries(lists) };
    if (site["main_url"] === "https://broken.example") return fail("You can't access this resource.");
    sites.set(site.idsite, changed);
    return { result: "success", message: "ok" };
  };

  const server = createServer(async (request, response) => {
    const parameters = await readForm(request);
    const isKnown = parameters.get("token_auth") === token;
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(isKnown ? call(parameters) : fail("Unable to authenticate with the provided token.")));
  });
  const listening = await listen(server);
  return {
    url: `${listening.url}/matomo`,
    token,
    sites: () => [...sites.values()],
    takeMethods: () => {
      const taken = methods;
      methods = [];
      return taken;
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}

/** Most errors of Matomo have status 200. */
function fail(message: string): object {
  return { result: "error", message };
}

/** A token in the URL counts as none: it would be in the log of the web server. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
  const isCall = request.method === "POST" && request.url === "/matomo/index.php" && isForm;
  const parameters = new URLSearchParams(await text(request));
  return isCall && parameters.get("module") === "API" && parameters.get("format") === "json"
    ? parameters
    : new URLSearchParams();
}
