import { describe, expect, test } from "vitest";
import { openFake } from "./support/open-fake.ts";

const now = new Date("2026-01-02T03:04:05.678Z");

describe("the fake answers as the service:", () => {
  test("a create stores the canonical form, and fills in defaults", async () => {
    const { fake, siteward } = openFake({ now });
    const created = await siteward.websites.create({
      domain: "BÜCHER.example.",
      exclude_params: ["utm_*", "utm_*"],
      exclude_ips: ["2001:DB8::1", "203.0.113.9/24"],
    });
    expect(created).toEqual({
      id: 1,
      domain: "xn--bcher-kva.example",
      privacy: 0,
      has_password: false,
      email: 0,
      exclude_bots: 1,
      exclude_params: ["utm_*"],
      exclude_ips: ["2001:db8::1", "203.0.113.0/24"],
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    });
    expect(fake.websites).toEqual([created]);
    expect(await siteward.websites.get(1)).toEqual(created);
  });

  test("an invalid create names every field with the message of the service", async () => {
    const { siteward } = openFake();
    // A program without types may send anything.
    const input = { domain: "http://x.com", privacy: 3, color: "red" } as never;
    await expect(siteward.websites.create(input)).rejects.toMatchObject({
      code: "validation_failed",
      status: 422,
      errors: {
        domain: ['contains a scheme; send "x.com"'],
        privacy: ["is 3; send 0 (Public), 1 (Private) or 2 (Password)"],
        color: [expect.stringMatching(/^is unknown; send only domain, privacy,/)],
      },
    });
  });

  test("a domain that is taken is refused with the ID of its website", async () => {
    const { siteward } = openFake({ websites: [{ domain: "a.example" }, { domain: "b.example" }] });
    await expect(siteward.websites.create({ domain: "B.example" })).rejects.toMatchObject({
      code: "domain_taken",
      problem: { website_id: 2 },
    });
  });

  test("a create past the limit of the account is refused, and the ID of a deleted website is not used again", async () => {
    const { siteward } = openFake({ websites: [{ domain: "a.example" }], websiteLimit: 1 });
    await expect(siteward.websites.create({ domain: "b.example" })).rejects.toMatchObject({
      code: "website_limit_reached",
      status: 403,
      problem: { limit: 1 },
    });
    await siteward.websites.delete(1);
    expect(await siteward.websites.create({ domain: "b.example" })).toMatchObject({ id: 2 });
  });

  test("an update changes only its fields, and changes nothing if it alters nothing", async () => {
    const { fake, siteward } = openFake({ now, websites: [{ domain: "a.example", privacy: 1 }] });
    fake.clock.advance(1000);
    expect((await siteward.websites.update(1, { privacy: 1 })).updated_at).toBe(now.toISOString());
    const updated = await siteward.websites.update(1, { email: 1 });
    expect(updated).toMatchObject({ privacy: 1, email: 1, updated_at: "2026-01-02T03:04:06.678Z" });
  });

  test("a password is judged by the record, and deleted when privacy changes", async () => {
    const { siteward } = openFake({ websites: [{ domain: "a.example" }] });
    await expect(siteward.websites.update(1, { privacy: 2 })).rejects.toMatchObject({
      errors: { password: ["is required if privacy is 2; send a string of 8 to 256 characters"] },
    });
    const locked = await siteward.websites.update(1, { privacy: 2, password: "correct horse" });
    expect(locked).toMatchObject({ privacy: 2, has_password: true });
    expect(await siteward.websites.update(1, { privacy: 0 })).toMatchObject({ privacy: 0, has_password: false });
  });

  test("a missing website is not found by any operation", async () => {
    const { siteward } = openFake();
    const missing = { code: "not_found", detail: "No website has this ID." };
    await expect(siteward.websites.get(1)).rejects.toMatchObject(missing);
    await expect(siteward.websites.update(1, { email: 1 })).rejects.toMatchObject(missing);
    await expect(siteward.websites.delete(1)).rejects.toMatchObject(missing);
  });

  test("the account shows its counts and the API key", async () => {
    const { fake, siteward } = openFake({ now, websites: [{ domain: "a.example" }], websiteLimit: 5 });
    expect(await siteward.account.get()).toEqual({
      id: 1,
      name: "Test account",
      email: "test@siteward.test",
      websites: { count: 1, limit: 5 },
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
      api_key: {
        name: "Test",
        prefix: fake.apiKey.slice(0, 12),
        scopes: ["websites:read", "websites:write", "account:read"],
        created_at: now.toISOString(),
        expires_at: null,
        last_used_at: null,
      },
    });
  });
});

describe("a list of the fake", () => {
  const websites = Array.from({ length: 25 }, (_, index) => ({
    domain: `site-${String.fromCharCode(97 + index)}.example`,
  }));

  test("has totals, links and cursors, forward and backward", async () => {
    const { siteward } = openFake({ websites });
    const first = await siteward.websites.list({ sort_by: "domain", sort: "asc" });
    expect(first.meta).toMatchObject({ total: 25, total_relation: "eq", current_page: 1, last_page: 3 });
    expect(first.links).toMatchObject({
      first: "https://siteward.test/api/v1/websites?sort_by=domain&sort=asc",
      prev: null,
    });
    const second = await first.nextPage();
    expect(second?.data[0]?.domain).toBe("site-k.example");
    expect(second?.meta).toMatchObject({ current_page: null, last_page: null });
    const back = await siteward.websites.list({
      sort_by: "domain",
      sort: "asc",
      cursor: second?.meta.prev_cursor ?? "",
    });
    expect(back.data).toEqual(first.data);
    expect(back.links.prev).toBeNull();
  });

  test("returns every website once, newest first by default, while others are created and deleted", async () => {
    const { siteward } = openFake({ websites });
    const seen: number[] = [];
    for await (const { id } of siteward.websites.list({ per_page: 10 })) {
      seen.push(id);
      if (id === 20) await siteward.websites.create({ domain: "new.example" });
      if (id === 18) await siteward.websites.delete(25);
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
  });

  test("changes with each create and delete", async () => {
    const { siteward } = openFake({ websites: [{ domain: "a.example" }] });
    const list = async () => (await siteward.websites.list()).data.map(({ id }) => id);
    expect(await list()).toEqual([1]);
    await siteward.websites.create({ domain: "b.example" });
    expect(await list()).toEqual([2, 1]);
    await siteward.websites.delete(1);
    expect(await list()).toEqual([2]);
  });

  test("finds domains by any part, in any case and in Unicode", async () => {
    const { siteward } = openFake({ websites: [...websites, { domain: "bücher.example" }] });
    const search = async (term: string) => (await siteward.websites.list({ search: term })).data.map(({ id }) => id);
    expect(await search("SITE-B")).toEqual([2]);
    expect(await search("bücher")).toEqual([26]);
    expect(await search("%")).toEqual([]);
  });

  test("refuses a cursor of another list", async () => {
    const { siteward } = openFake({ websites });
    const { meta } = await siteward.websites.list();
    const other = siteward.websites.list({ sort: "asc", cursor: meta.next_cursor ?? "" });
    await expect(other).rejects.toMatchObject({
      errors: { cursor: [expect.stringContaining("belongs to a list with another search")] },
    });
  });

  test("counts at most 10,000 matches of a search", async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => ({ domain: `n${index}.example` }));
    const { siteward } = openFake({ websites: many });
    expect((await siteward.websites.list({ search: "example" })).meta).toMatchObject({
      total: 10_000,
      total_relation: "gte",
      last_page: null,
    });
    expect((await siteward.websites.list()).meta).toMatchObject({ total: 10_001, total_relation: "eq" });
  });
});
