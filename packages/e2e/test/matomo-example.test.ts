import { createServer } from "node:http";
import { type CreateWebsite, Siteward } from "@siteward/sdk";
import { listen } from "@siteward/testing/listen";
import type { ProcessResult } from "@siteward/testing/start-process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { type MatomoSite, startMatomoServer } from "./support/matomo-server.ts";
import { runExample } from "./support/run-example.ts";

const websites: readonly CreateWebsite[] = [
  { domain: "same.example", exclude_ips: ["203.0.113.7"], exclude_params: ["gclid", "utm_*"] },
  { domain: "www.same.example", exclude_ips: ["192.0.2.1"] },
  {
    domain: "changed.example",
    exclude_ips: ["203.0.113.7", "203.0.113.0/25", "198.51.*.*", "2001:db8::/33", "2001:db8::1"],
    exclude_params: ["_ga_", "größe", "ref", "x[y]"],
    exclude_bots: 0,
  },
  { domain: "www.bücher.example" },
  { domain: "broken.example", exclude_ips: ["192.0.2.1"] },
  { domain: "only-here.example", exclude_ips: ["192.0.2.1"] },
];
const kept = {
  name: "Shop & Co",
  timezone: "Europe/Berlin",
  excluded_user_agents: "/bot|spider/i,a+b&c",
  excluded_referrers: ".pay.example,https://bank.example/?a=1",
  sitesearch_keyword_parameters: "q,suche",
  sitesearch_category_parameters: "cat",
};
const sites: readonly MatomoSite[] = [
  { idsite: 1, main_url: "https://same.example", excluded_ips: "203.0.113.7", excluded_parameters: "/^utm_/,gclid" },
  { ...kept, idsite: 2, main_url: "http://www.changed.example/shop", excluded_ips: "203.0.113.7,192.0.2.9" },
  { idsite: 3, main_url: "http://xn--bcher-kva.example", excluded_ips: "192.0.2.9", excluded_parameters: "old" },
  { idsite: 4, main_url: "https://broken.example" },
  { idsite: 5, main_url: "https://only-there.example", excluded_ips: "192.0.2.9" },
  { idsite: 6, main_url: "no URL" },
  { idsite: 7, main_url: "https://www.same.example/", excluded_ips: "192.0.2.1" },
];
const differences = [
  "changed.example, site 2: IP addresses +203.0.113.0/25 +198.51.*.* +2001:db8::/33 +2001:db8::1 -192.0.2.9; parameters +/^_ga_$/ +ref",
  "www.xn--bcher-kva.example, site 3: IP addresses -192.0.2.9; parameters -old",
  "broken.example, site 4: IP addresses +192.0.2.1",
];
const inexpressible = [
  "changed.example: Matomo cannot include bots, as exclude_bots 0 says.",
  "changed.example: Matomo cannot exclude the parameters größe x[y]",
  "Matomo does not have 1 of the websites: only-here.example",
];

let server: BuiltServer;
let apiKey: string;
beforeAll(async () => {
  server = await startBuiltServer();
  apiKey = await openAccount(websites);
});
afterAll(() => server[Symbol.asyncDispose]());

describe("examples/matomo.ts", () => {
  test("changes in Matomo only what differs, and nothing the second time", async () => {
    await using matomo = await startMatomoServer(sites);
    const shown = await push(matomo);
    expect(shown).toEqual({
      exitCode: 0,
      stdout: [...differences, "{ websites: 6, different: 3, updated: 0, failed: 0 }", ""].join("\n"),
      stderr: [...inexpressible, ""].join("\n"),
    });
    const before = matomo.sites();
    expect(matomo.takeMethods()).toEqual(["SitesManager.getSitesWithAdminAccess"]);

    const applied = await push(matomo, "--apply");
    const refused = "broken.example: Matomo refused the update: You can't access this resource.";
    expect(applied).toEqual({
      exitCode: 1,
      stdout: [...differences, "{ websites: 6, different: 3, updated: 2, failed: 1 }", ""].join("\n"),
      stderr: [...inexpressible, refused, ""].join("\n"),
    });
    expect(matomo.takeMethods()).toEqual([
      "SitesManager.getSitesWithAdminAccess",
      "API.getBulkRequest",
      ...Array(3).fill("SitesManager.updateSite"),
    ]);
    const changed = {
      excluded_ips: "203.0.113.7,203.0.113.0/25,198.51.*.*,2001:db8::/33,2001:db8::1",
      excluded_parameters: "/^_ga_$/,ref",
    };
    expect(matomo.sites()).toEqual([
      before[0],
      { ...before[1], ...changed },
      { ...before[2], excluded_ips: "", excluded_parameters: "" },
      ...before.slice(3),
    ]);

    const { stdout } = await push(matomo, "--apply");
    expect(stdout).toBe([differences[2], "{ websites: 6, different: 1, updated: 0, failed: 1 }", ""].join("\n"));
  });

  test.for([
    ["is not there", 404, "<h1>Not\nfound</h1>", /with 404: "<h1>Not\\nfound<\/h1>"\. Is MATOMO_URL right\?$/],
    ["reports an error with 200", 200, '{"result":"error","message":"Locked."}', /with 200: Locked\.$/],
    // There, the list is empty: the form and its token would be lost on the way.
    ["redirects to another address", 301, "[]", /unexpected redirect$/],
  ] as const)("stops with one line if Matomo %s", async ([, status, body, message]) => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === "/other" ? 200 : status, { location: "/other" }).end(body);
    });
    await using matomo = await listen(server);
    const run = await push({ url: `${matomo.url}/`, token: "t" }, "--apply");
    expect(run).toMatchObject({ exitCode: 1, stdout: "" });
    expect(run.stderr.trim()).toMatch(message);
    expect(run.stderr.trim().split("\n")).toHaveLength(1);
  });

  test("names a URL that is none in one line, and shows its usage, which needs no settings", async () => {
    const stderr = 'MATOMO_URL is "matomo.example"; set a URL such as https://matomo.example/.\n';
    expect(await push({ url: "matomo.example", token: "t" })).toEqual({ exitCode: 1, stdout: "", stderr });
    const stdout = expect.stringMatching(/^Usage: node examples\/matomo\.ts \[--apply\]\n(.*\n)*.*MATOMO_TOKEN/);
    expect(await push({ url: "", token: "" }, "--help")).toEqual({ exitCode: 0, stdout, stderr: "" });
  });

  // Matomo reads an entry as a regular expression if its first character may delimit one, and else as a name, without case.
  test("each parameter is written so that Matomo reads it as Siteward means it, except for its case", async () => {
    const exclude_params = ["gclid", "utm_*", "_gl_i", "-a-", "$x", "a.b", ".c.*", "~z~"];
    await using matomo = await startMatomoServer([{ idsite: 1, main_url: "https://example.com" }]);
    const { stderr } = await push(matomo, "--apply", await openAccount([{ domain: "example.com", exclude_params }]));
    expect(stderr).toBe("");
    const written = ["gclid", "/^utm_/", "/^_gl_i$/", "/^-a-$/", "/^\\$x$/", "a.b", "/^\\.c\\./", "/^~z~$/"];
    expect(String(matomo.sites()[0]?.["excluded_parameters"]).split(",")).toEqual(written);
  });
});

/** Creates an account with websites, and returns its key. */
async function openAccount(account: readonly CreateWebsite[]): Promise<string> {
  const { apiKey } = await server.createAccount();
  const siteward = new Siteward({ apiKey, baseUrl: server.url });
  for (const website of account) await siteward.websites.create(website);
  return apiKey;
}

function push(
  matomo: { readonly url: string; readonly token: string },
  flag?: "--apply" | "--help",
  key: string = apiKey,
): Promise<ProcessResult> {
  const settings = { SITEWARD_API_KEY: key, SITEWARD_BASE_URL: server.url };
  const words = flag === undefined ? [] : [flag];
  return runExample(["matomo.ts", ...words], { ...settings, MATOMO_URL: matomo.url, MATOMO_TOKEN: matomo.token });
}
