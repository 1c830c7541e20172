import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

/** Lists as they are sent, and as they are stored. */
const lists = [
  ["exclude_params", "gclid\r\n\r\n utm_* \nGCLID,gclid", ["gclid", "utm_*", "GCLID"]],
  ["exclude_params", "utm_*, gclid\r\n\n\tq\rr,", ["utm_*", "gclid", "q", "r"]],
  ["exclude_params", ["utm_*,q", "q\nutm_*"], ["utm_*", "q"]],
  ["exclude_params", "", []],
  ["exclude_ips", "203.0.113.9/24,203.0.113.0/24\n203.0.113.7/32", ["203.0.113.0/24", "203.0.113.7"]],
  [
    "exclude_ips",
    "2001:DB8:0::1/128\n::ffff:198.51.100.1\n203.0.113.*\n10.*.*.*",
    ["2001:db8::1", "198.51.100.1", "203.0.113.*", "10.*.*.*"],
  ],
] as const;

const [parameters, addresses] = [
  ["gclid", "utm_*"],
  ["203.0.113.7", "2001:db8::/32"],
] as const;

/** The same fields in every spelling of a body. */
const spellings = [
  ...[
    "exclude_params=gclid%0D%0Autm_*&exclude_ips=203.0.113.7%0A2001:db8::/32",
    "exclude_params=gclid,utm_*&exclude_ips=203.0.113.7,+2001:db8::/32",
    "exclude_params=gclid&exclude_params=utm_*&exclude_ips=203.0.113.7&exclude_ips=2001:db8::/32",
    "exclude_params[]=gclid&exclude_params%5B%5D=utm_*&exclude_ips[]=203.0.113.7&exclude_ips[]=2001:db8::/32",
    // As PHP, Guzzle and qs write arrays, and PHP one that it has filtered.
    "exclude_params[0]=gclid&exclude_params[1]=utm_*&exclude_ips%5B3%5D=203.0.113.7&exclude_ips%5B10%5D=2001:db8::/32",
  ].map((lists) => ({ form: `privacy=1&email=1&exclude_bots=0&${lists}` })),
  { json: { privacy: 1, email: 1, exclude_bots: 0, exclude_params: parameters, exclude_ips: addresses } },
  {
    json: {
      ...{ privacy: "1", email: "1", exclude_bots: "0" },
      ...{ exclude_params: parameters.join("\n"), exclude_ips: addresses.join(",") },
    },
  },
];

export const creating: Guarantees = {
  "a create needs only a domain, and the other fields have defaults, in the documented order": async (
    caller,
    service,
  ) => {
    const answer = await caller.create({ domain: "example.com" });
    expect(answer.status).toBe(201);
    const now = new Date(service.nowMs()).toISOString();
    const website = {
      id: 1,
      domain: "example.com",
      privacy: 0,
      has_password: false,
      email: 0,
      exclude_bots: 1,
      exclude_params: [],
      exclude_ips: [],
      created_at: now,
      updated_at: now,
    };
    // The fields are in the documented order.
    expect([answer.website, answer.text]).toEqual([website, JSON.stringify({ data: website })]);
    expect(answer.header("X-Request-Id")).toMatch(/^[\da-f-]{36}$/);
  },
  "Location is the absolute URL of the record, from which the same record and entity tag can be read": async (
    caller,
  ) => {
    const created = await caller.create({ domain: "example.com" });
    expect(created.header("Location")).toBe(`${caller.account.baseUrl}${websites}/1`);
    const read = await caller.get(`${websites}/1`);
    expect([read.status, read.text, read.etag]).toEqual([200, created.text, created.etag]);
  },
  "a list is stored in its canonical form, and the longest lists are accepted": async (caller) => {
    for (const [index, [field, sent, stored]] of lists.entries()) {
      const domain = `site-${index}.example`;
      const { website } = await (typeof sent === "string"
        ? caller.call("POST", websites, { form: `${new URLSearchParams({ domain, [field]: sent })}` })
        : caller.create({ domain, [field]: sent }));
      expect([sent, website[field]]).toEqual([sent, stored]);
    }
    const exclude_params = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(128, "x"));
    const exclude_ips = Array.from({ length: 500 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const { website } = await caller.create({ domain: "longest.example", exclude_params, exclude_ips });
    expect(website).toMatchObject({ exclude_params, exclude_ips });
  },
  "every spelling of a body says the same: a form or JSON, with lists as lines, with commas, repeated or as arrays":
    async (caller) => {
      for (const [index, spelling] of spellings.entries()) {
        const domain = `site-${index}.example`;
        const answer =
          "form" in spelling
            ? await caller.call("POST", websites, { form: `domain=${domain}&${spelling.form}` })
            : await caller.create({ domain, ...spelling.json });
        const fields = { domain, privacy: 1, has_password: false, email: 1, exclude_bots: 0 };
        expect(answer.status).toBe(201);
        expect(answer.website).toMatchObject({ ...fields, exclude_params: parameters, exclude_ips: addresses });
      }
    },
};

export const limits: Guarantees = {
  "a domain that exists gets a 409 that names its website, in any spelling": async (caller) => {
    await caller.createAll(["a.example", "xn--bcher-kva.example"]);
    for (const domain of ["xn--bcher-kva.example", "Bücher.example", "XN--BCHER-KVA.example.", " bücher.example "]) {
      const answer = await caller.create({ domain });
      expect([domain, ...answer.refusal]).toEqual([domain, 409, "domain_taken"]);
      expect(answer.problem).toMatchObject({
        website_id: 2,
        detail:
          'Website 2 of this account already has the domain "xn--bcher-kva.example". ' +
          "Update that website, or choose another domain.",
      });
    }
    expect(await caller.count()).toBe(2);
  },
  "a full account gets a 403 with its limit, and has room again after a delete": async (_, service) => {
    const caller = new Caller(service, { websiteLimit: 2 });
    await caller.createAll(["a.example", "b.example"]);
    const answer = await caller.create({ domain: "c.example" });
    expect(answer.refusal).toEqual([403, "website_limit_reached"]);
    expect(answer.problem).toMatchObject({
      limit: 2,
      detail:
        "This account has reached its limit of 2 websites. Delete a website, or ask the operator for a higher limit.",
    });
    await caller.call("DELETE", `${websites}/1`);
    expect((await caller.create({ domain: "c.example" })).website.id).toBe(3);
  },
  "a domain that exists is named also if the account is full": async (_, service) => {
    const caller = new Caller(service, { websiteLimit: 1 });
    await caller.createAll(["a.example"]);
    expect((await caller.create({ domain: "a.example" })).refusal).toEqual([409, "domain_taken"]);
  },
};
