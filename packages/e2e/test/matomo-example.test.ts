import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { compileRules } from "@siteward/rules";
import type { CreateWebsite } from "@siteward/sdk";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { describe, expect, test } from "vitest";
import { isExcludedByMatomo, type MatomoSite, startMatomoServer } from "./support/matomo-server.ts";
import { startWatchingProxy } from "./support/watching-proxy.ts";

const example = fileURLToPath(new URL("../../../examples/matomo.ts", import.meta.url));

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

describe("examples/matomo.ts", () => {
  test("changes in Matomo only what differs, and nothing the second time", async () => {
    await using matomo = await startMatomoServer(sites);
    const shown = await push(matomo);
    expect(shown).toEqual({
      status: 0,
      output: [...differences, "{ websites: 6, different: 3, updated: 0, failed: 0 }", ""].join("\n"),
      errors: [...inexpressible, ""].join("\n"),
    });
    const before = matomo.sites();
    expect(matomo.takeMethods()).toEqual(["SitesManager.getSitesWithAdminAccess"]);

    const applied = await push(matomo, "--apply");
    const refused = "broken.example: Matomo refused the update: You can't access this resource.";
    expect(applied).toEqual({
      status: 1,
      output: [...differences, "{ websites: 6, different: 3, updated: 2, failed: 1 }", ""].join("\n"),
      errors: [...inexpressible, refused, ""].join("\n"),
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

    const { output } = await push(matomo, "--apply");
    expect(output).toBe([differences[2], "{ websites: 6, different: 1, updated: 0, failed: 1 }", ""].join("\n"));
  });

  test.for<readonly [string, RequestListener, RegExp]>([
    ["is not there", answer(404, "<h1>Not\nfound</h1>"), /with 404: "<h1>Not\\nfound<\/h1>"\. Is MATOMO_URL right\?$/],
    [
      "answers with an object",
      answer(404, '{"error":"x"}'),
      /with 404: "{\\"error\\":\\"x\\"}"\. Is MATOMO_URL right\?$/,
    ],
    ["refuses the token", answer(401, '{"result":"error","message":"No access."}'), /with 401: No access\.$/],
    ["reports an error with 200", answer(200, '{"result":"error","message":"Locked."}'), /with 200: Locked\.$/],
    ["answers with a page", answer(200, "<html>"), /with 200: "<html>"\. Is MATOMO_URL right\?$/],
    ["answers with null", answer(200, "null"), /with 200: "null"\. Is MATOMO_URL right\?$/],
    ["redirects to another address", redirect, /unexpected redirect$/],
  ])("stops with one line if Matomo %s", async ([, listener, message]) => {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { status, output, errors } = await push({ url: `http://127.0.0.1:${port}/`, token: "t" }, "--apply");
    server.close();
    server.closeAllConnections();
    expect({ status, output }).toEqual({ status: 1, output: "" });
    expect(errors.trim()).toMatch(message);
    expect(errors.trim().split("\n")).toHaveLength(1);
  });

  test("counts the websites that Matomo does not have, and names the first", async () => {
    await using matomo = await startMatomoServer([]);
    const account = Array.from({ length: 7 }, (_, index) => ({ domain: `${index}.example` }));
    const { status, errors } = await push(matomo, undefined, account);
    const line = /^Matomo does not have 7 of the websites: \d\.example(, \d\.example){4}, …\n$/;
    expect({ status, errors }).toEqual({ status: 0, errors: expect.stringMatching(line) });
  });

  test.for(["matomo.example", "matomo.example:8080/", "", "http://"])(
    "names MATOMO_URL %j in one line",
    async (url) => {
      const errors = `MATOMO_URL is "${url}"; set a URL such as https://matomo.example/.\n`;
      expect(await push({ url, token: "t" })).toEqual({ status: 1, output: "", errors });
    },
  );

  test("shows its usage, which needs no settings", async () => {
    const output = expect.stringMatching(/^Usage: node examples\/matomo\.ts \[--apply\]\n(.*\n)*.*MATOMO_TOKEN/);
    expect(await push({ url: "", token: "" }, "--help")).toEqual({ status: 0, output, errors: "" });
  });

  test("Matomo reads each parameter as Siteward means it, except for its case", async () => {
    const exclude_params = ["gclid", "utm_*", "_ga_", "_gl_i", "-a-", "$x", "a.b", ".c.*", "fb_*", "_*", "~z~", ":q:"];
    await using matomo = await startMatomoServer([{ idsite: 1, main_url: "https://example.com" }]);
    const { errors } = await push(matomo, "--apply", [{ domain: "example.com", exclude_params }]);
    expect(errors).toBe("");
    const list = String(matomo.sites()[0]?.["excluded_parameters"]);
    const names =
      "gclid gclid2 xgclid utm_ utm_source utm xutm_a _ga_ ga _ga_1 _gl_i gl -a- a $x x a.b aab axb .c. .c.d xc.d fb_x _ _x a_x ~z~ z :q: q";
    const rules = compileRules({ domain: "example.com", exclude_bots: 0, exclude_ips: [], exclude_params });
    const isMeant = (name: string) => {
      const url = `https://example.com/?${name}=1`;
      const verdict = rules.judge({ url });
      return verdict.counted && verdict.url !== url;
    };
    const all = names.split(" ");
    expect(all.filter((name) => isExcludedByMatomo(name, list))).toEqual(all.filter(isMeant));
    expect(isExcludedByMatomo("GCLID", list)).toBe(true);
  });

  test("is shorter than 110 lines", () => {
    expect(readFileSync(example, "utf8").trim().split("\n").length).toBeLessThan(110);
  });
});

interface Outcome {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs the example with the websites of an account. */
async function push(
  matomo: { readonly url: string; readonly token: string },
  flag?: "--apply" | "--help",
  account: readonly CreateWebsite[] = websites,
): Promise<Outcome> {
  const fake = createFakeSiteward({ websites: account });
  await using proxy = await startWatchingProxy(fake.baseUrl, async () => {}, fake.fetch);
  const variables = { SITEWARD_API_KEY: fake.apiKey, SITEWARD_BASE_URL: proxy.url };
  const env = { ...process.env, ...variables, MATOMO_URL: matomo.url, MATOMO_TOKEN: matomo.token, NO_COLOR: "1" };
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const words = flag === undefined ? [] : [flag];
  const child = execFile(process.execPath, [example, ...words], { env }, (_error, output, errors) => {
    resolve({ status: child.exitCode ?? -1, output, errors });
  });
  return await promise;
}

function answer(status: number, body: string): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body);
  };
}

/** There, the list is empty: the form and its token were lost on the way. */
function redirect(...[request, response]: Parameters<RequestListener>): void {
  if (request.url === "/other") return void response.end("[]");
  response.writeHead(301, { location: "/other" }).end();
}
