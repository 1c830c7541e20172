import type { CallOptions } from "./test-server.ts";

/** A request of the recorded conversation. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly options?: CallOptions;
}

const websites = "/api/v1/websites";

/** Requests that reach every endpoint, every kind of refusal and every way to list. They are always the same. */
export const conversation: readonly RecordedRequest[] = [
  ...[...createWebsites(), ...refuseWebsites()],
  ...[...changeWebsites(), ...deleteWebsites()],
  ...[...listWebsites(), ...pageThroughEverything()],
  ...[...createWebsites().slice(0, 12), ...mixUp(300), ...listWebsites()],
  { method: "GET", path: "/api/v1/account" },
  { method: "GET", path: "/api/v1/nothing" },
  { method: "PATCH", path: `${websites}/1` },
  { method: "GET", path: websites, options: { key: null } },
];

function createWebsites(): RecordedRequest[] {
  const names = [
    "shop",
    "blog",
    "news",
    "docs",
    "api",
    "BÜCHER",
    "www.shop",
    "a.b.c",
    "x--y",
    "shop-2",
    "日本語",
    "mañana",
  ];
  const tops = ["example", "example.com", "acme.example", "co.uk", "museum"];
  return names.flatMap((name, index) =>
    tops.map((top, place) => {
      const domain = `${name}.${top}`;
      const settings = place % 2 === 0 ? { privacy: index % 2, email: 1, exclude_params: ["utm_*", `p${index}`] } : {};
      const withPassword = place === 3 ? { privacy: 2, password: "correct horse" } : {};
      return { method: "POST", path: websites, options: { json: { domain, ...settings, ...withPassword } } };
    }),
  );
}

function refuseWebsites(): RecordedRequest[] {
  const bodies: unknown[] = [
    { domain: "shop.example" },
    { domain: "SHOP.EXAMPLE." },
    { domain: "http://shop.example/" },
    { domain: "" },
    {},
    { domain: "one.example", privacy: 2 },
    { domain: "one.example", privacy: 3, email: "yes", exclude_ips: ["999.1.1.1"], colour: "red" },
    { domain: "two.example", password: "correct horse" },
    [],
    "text",
  ];
  return [
    ...bodies.map((json) => ({ method: "POST", path: websites, options: { json } })),
    { method: "POST", path: websites, options: { form: "domain=a.example&domain=b.example" } },
    { method: "POST", path: websites, options: { body: "<xml/>", headers: { "Content-Type": "text/xml" } } },
    { method: "POST", path: websites, options: { body: "{", headers: { "Content-Type": "application/json" } } },
  ];
}

function changeWebsites(): RecordedRequest[] {
  const changes: unknown[] = [
    {},
    { privacy: 1 },
    { privacy: 2 },
    { privacy: 2, password: "correct horse" },
    { email: 1, exclude_bots: 0 },
    { exclude_ips: ["203.0.113.9/24", "::FFFF:192.0.2.1", "2001:DB8::1"] },
    { exclude_ips: [] },
    { privacy: 0 },
    { domain: "other.example" },
  ];
  return [1, 4, 9, 60, 61, 0, 999_999].flatMap((id) =>
    changes.map((json) => ({ method: "PUT", path: `${websites}/${id}`, options: { json } })),
  );
}

function deleteWebsites(): RecordedRequest[] {
  const ids = ["1", "1", "7", "30", "59", "60", "0", "-1", "x", "1.5", "9007199254740993", "4294967296"];
  return [
    ...ids.map((id) => ({ method: "DELETE", path: `${websites}/${id}` })),
    ...ids.map((id) => ({ method: "GET", path: `${websites}/${id}` })),
    { method: "POST", path: websites, options: { json: { domain: "shop.example" } } },
  ];
}

function listWebsites(): RecordedRequest[] {
  const queries = [
    "",
    "per_page=25",
    "per_page=11",
    "page=2",
    "page=99",
    "page=0",
    "page=20000",
    "sort=asc",
    "sort=up",
  ];
  const searches = [
    "shop",
    "SHOP",
    "s",
    "a.",
    ".",
    "-",
    "%",
    "_",
    "bücher",
    "日本",
    "xn--",
    "nothing",
    "example",
    "e.c",
    "'",
  ];
  const sorts = ["", "&sort=asc", "&sort_by=domain", "&sort_by=domain&sort=asc", "&sort_by=domain&page=2"];
  const all = [
    ...queries,
    ...searches.flatMap((search) => sorts.map((sort) => `search=${encodeURIComponent(search)}${sort}`)),
  ];
  return all.map((query) => ({ method: "GET", path: `${websites}?${query}` }));
}

/** Whoever plays the conversation follows the `next` link of each answer. */
function pageThroughEverything(): RecordedRequest[] {
  return [
    "sort=asc",
    "sort=desc",
    "sort_by=domain&sort=asc",
    "sort_by=domain",
    "search=example",
    "search=s&sort_by=domain",
  ].map((query) => ({ method: "FOLLOW", path: `${websites}?${query}` }));
}

/** A long run of small requests in random order, from a fixed seed. */
function mixUp(count: number): RecordedRequest[] {
  let state = 20_261_121;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, (): RecordedRequest => {
    const path = `${websites}/${1 + next(120)}`;
    const json = { domain: `site-${next(80)}.mix.example`, email: next(2) };
    const requests: readonly RecordedRequest[] = [
      { method: "POST", path: websites, options: { json } },
      { method: "PUT", path, options: { json: { email: next(2), privacy: next(2) } } },
      { method: "DELETE", path },
      { method: "GET", path },
      { method: "GET", path: `${websites}?search=${next(10)}&sort_by=domain&sort=asc` },
    ];
    return requests[next(requests.length)] ?? { method: "GET", path };
  });
}
