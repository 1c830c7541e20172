import { beforeAll, expect, test } from "vitest";
import { type Edge, useSetting } from "./support/edge.ts";

/** What SITEWARD_EDGE_TRUST_PROXY and X-Forwarded-For are, and with which address the request arrives. Nothing of the office arrives. */
const cases = [
  ["loopback", "198.51.100.7", "198.51.100.7"],
  ["loopback", "203.0.113.9", undefined],
  ["loopback", "203.0.113.9:52044", undefined],
  ["loopback", "198.51.100.7:52044", "198.51.100.7"],
  ["loopback", "2001:0DB8::7", undefined],
  ["loopback", "[2001:db8::7]:52044", undefined],
  ["loopback", "[2001:db9::7]", "2001:db9::7"],
  ["loopback", "::ffff:203.0.113.9", undefined],
  ["loopback", "198.51.100.7, 203.0.113.9", undefined],
  ["loopback", "203.0.113.9, 198.51.100.7, 127.0.0.1", "198.51.100.7"],
  ["loopback", undefined, "127.0.0.1"],
  ["loopback,10.0.0.0/8", "203.0.113.9, 10.1.2.3", undefined],
  ["loopback,10.0.0.0/8", "203.0.113.9, 198.51.100.7, 10.1.2.3", "198.51.100.7"],
  ["2", "203.0.113.9, 10.1.2.3", undefined],
  ["2", "203.0.113.9, 198.51.100.7, 10.1.2.3", "198.51.100.7"],
  ["1", "203.0.113.9, 198.51.100.7", "198.51.100.7"],
  ["off", "203.0.113.9", "127.0.0.1"],
  ["192.0.2.1", "203.0.113.9", "127.0.0.1"],
] as const;
/** Where peers look for an address, some of them first of all. */
const others = [
  "forwarded x-real-ip x-client-ip true-client-ip cf-connecting-ip fastly-client-ip x-nf-client-connection-ip client-ip",
  "do-connecting-ip x-appengine-user-ip x-cluster-client-ip x-forwarded x-plausible-ip b-forwarded-for x-umami-client-ip",
].flatMap((names) => names.split(" "));
const countries = ["cf-ipcountry", "x-vercel-ip-country", "cloudfront-viewer-country"];
const visit = `/matomo.php?idsite=1&url=${encodeURIComponent("https://shop.example/")}`;

const setting = useSetting();
const edges = new Map<string, Edge>();
beforeAll(async () => {
  for (const TRUST_PROXY of new Set(cases.map(([trust]) => trust)))
    edges.set(TRUST_PROXY, await setting.open({ TRUST_PROXY }));
});

async function arrive(trust: string, headers: Readonly<Record<string, string | undefined>>, path = visit) {
  await edges.get(trust)?.send({ method: "GET", path, headers });
  return setting.peer.take()[0]?.headers;
}

test.for(cases)("with %s trusted, a visit for %s arrives with %s", async ([trust, forwarded, due]) => {
  const arrived = await arrive(trust, { "x-forwarded-for": forwarded });
  expect([arrived?.["x-forwarded-for"], arrived?.["x-real-ip"]]).toEqual([due, due]);
});

test.for(["loopback", "off"])(
  "with %s trusted, no other address arrives, and no country but that of a proxy",
  async (trust) => {
    // CGI writes both signs as one.
    const names = [...others, ...["x-forwarded-for", ...others].map((name) => name.replaceAll("-", "_"))];
    const forged = [...names.map((name) => [name, "203.0.113.77"]), ...countries.map((name) => [name, "DE"])];
    for (const path of [visit, "/"]) {
      const arrived = await arrive(trust, Object.fromEntries(forged), path);
      expect(arrived?.["x-real-ip"]).toBe(trust === "off" ? "127.0.0.1" : "198.51.100.7");
      expect(JSON.stringify(arrived)).not.toContain("203.0.113.77");
      expect(countries.filter((name) => arrived?.[name] === "DE")).toEqual(trust === "off" ? [] : countries);
    }
  },
);
