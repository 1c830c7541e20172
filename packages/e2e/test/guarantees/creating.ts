import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const isRequired = 'is required; send a host name such as "example.com"';
const choice = "send 0 (Disabled) or 1 (Enabled)";
const unknown = "is unknown; send only domain, privacy, password, email, exclude_bots, exclude_params, exclude_ips";

export const creating: Guarantees = {
  "a create needs only a domain, and the other fields have defaults": async (service) => {
    const caller = new Caller(service);
    const answer = await caller.create({ domain: "example.com" });
    expect(answer.status).toBe(201);
    const now = new Date(caller.account.nowMs()).toISOString();
    const settings = {
      privacy: 0,
      has_password: false,
      email: 0,
      exclude_bots: 1,
      exclude_params: [],
      exclude_ips: [],
    };
    expect(answer.website).toEqual({ id: 1, domain: "example.com", ...settings, created_at: now, updated_at: now });
    expect(answer.header("Location")).toBe(`${caller.account.baseUrl}${websites}/1`);
    expect(answer.header("ETag")).toMatch(/^"[^"]+"$/);
    expect(answer.header("Cache-Control")).toBe("no-store");
    expect(answer.header("X-Request-Id")).toMatch(/^[\da-f-]{36}$/);
  },
  "a create stores every field in its canonical form": async (service) => {
    const answer = await new Caller(service).create({
      domain: " BÜCHER.Example. ",
      privacy: "2",
      password: "correct horse",
      email: 1,
      exclude_bots: "0",
      exclude_params: "utm_*, gclid\r\n\nq",
      exclude_ips: ["203.0.113.9/24", "::ffff:198.51.100.7", "2001:DB8:0:0::1", "10.*.*.*"],
    });
    expect(answer.website).toMatchObject({
      domain: "xn--bcher-kva.example",
      privacy: 2,
      has_password: true,
      email: 1,
      exclude_bots: 0,
      exclude_params: ["utm_*", "gclid", "q"],
      exclude_ips: ["203.0.113.0/24", "198.51.100.7", "2001:db8::1", "10.*.*.*"],
    });
    expect(answer.text).not.toContain("horse");
  },
  "a form says the same as JSON, with lists in each of their spellings": async (service) => {
    const caller = new Caller(service);
    const lists = "exclude_params=utm_*&exclude_params=q&exclude_ips%5B%5D=203.0.113.7&exclude_ips[]=::1";
    const form = await caller.call("POST", websites, { form: `domain=form.example&privacy=1&email=1&${lists}` });
    const fields = { privacy: 1, email: 1, exclude_params: ["utm_*", "q"], exclude_ips: ["203.0.113.7", "::1"] };
    const json = await caller.create({ domain: "json.example", ...fields });
    expect(form.website).toEqual({ ...json.website, id: 1, domain: "form.example" });
  },
  "a refusal names every invalid field with its message, and nothing is created": async (service) => {
    const caller = new Caller(service);
    const answer = await caller.create({
      privacy: 3,
      password: 7,
      email: "yes",
      exclude_bots: null,
      exclude_params: ["a b"],
      exclude_ips: ["1.2.3.256"],
      colour: "red",
    });
    expect(answer.fieldErrors).toEqual({
      domain: [isRequired],
      privacy: ["is 3; send 0 (Public), 1 (Private) or 2 (Password)"],
      password: ["is not a string; send a string of 8 to 256 characters"],
      email: [`is "yes"; ${choice}`],
      exclude_bots: [`is null; ${choice}`],
      exclude_params: [expect.stringContaining('"a b"')],
      exclude_ips: [expect.stringContaining('"1.2.3.256"')],
      colour: [unknown],
    });
    expect(answer.problem.detail).toMatch(/^Invalid request: domain is required; /);
    expect((await caller.call("GET", websites)).page.meta.total).toBe(0);
  },
  "each fault of a domain has its message": async (service) => {
    const caller = new Caller(service);
    for (const [domain, message] of [
      ["", 'is empty; send a host name such as "example.com"'],
      ["http://x.com/path", 'contains a scheme; send "x.com"'],
      ["x.com/path", 'contains a path; send "x.com"'],
      ["x.com:80", 'contains a port; send "x.com"'],
      ["u@x.com", 'contains user information; send "x.com"'],
      ["*.x.com", 'contains a wildcard; send "x.com"'],
      ["1.2.3.4", 'is an IP address; send a host name such as "example.com"'],
    ] as const) {
      expect((await caller.create({ domain })).fieldErrors).toEqual({ domain: [message] });
    }
  },
  "a domain that exists gets a 409 that names its website, in any spelling": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example", "xn--bcher-kva.example"]);
    const answer = await caller.create({ domain: "Bücher.example" });
    expect(answer.refusal).toEqual([409, "domain_taken"]);
    expect(answer.problem).toMatchObject({
      website_id: 2,
      detail:
        'Website 2 of this account already has the domain "xn--bcher-kva.example". Update that website, or choose another domain.',
    });
  },
  "a full account gets a 403 with its limit, and has room again after a delete": async (service) => {
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
  "a domain that exists is named also if the account is full": async (service) => {
    const caller = new Caller(service, { websiteLimit: 1 });
    await caller.createAll(["a.example"]);
    expect((await caller.create({ domain: "a.example" })).refusal).toEqual([409, "domain_taken"]);
  },
  "a password needs privacy 2, and privacy 2 a password": async (service) => {
    const caller = new Caller(service);
    const missing = "is required if privacy is 2; send a string of 8 to 256 characters";
    const notAllowed = (privacy: number) =>
      `is not allowed if privacy is ${privacy}, because it would protect nothing; send privacy 2 too, or omit the password`;
    for (const [fields, message] of [
      [{ privacy: 2 }, missing],
      [{ privacy: 2, password: "" }, missing],
      [{ password: "correct horse" }, notAllowed(0)],
      [{ privacy: 1, password: "correct horse" }, notAllowed(1)],
      [{ privacy: 2, password: "1234567" }, "is 7 characters long; send 8 to 256 characters"],
      [{ privacy: 2, password: "🔑".repeat(257) }, "is 257 characters long; send 8 to 256 characters"],
    ] as const) {
      const answer = await caller.create({ domain: "a.example", ...fields });
      expect(answer.fieldErrors).toEqual({ password: [message] });
    }
    expect((await caller.create({ domain: "a.example", password: "" })).website.has_password).toBe(false);
  },
  "an ID is never used again": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example", "b.example"]);
    await caller.call("DELETE", `${websites}/2`);
    expect((await caller.create({ domain: "b.example" })).website.id).toBe(3);
  },
};
