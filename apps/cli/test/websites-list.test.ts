import { load } from "js-yaml";
import { describe, expect } from "vitest";
import { openCli, test } from "./support/cli-test.ts";
import { jsonOf, linesOf } from "./support/run-cli.ts";
import { serveFake } from "./support/serve-fake.ts";

const domains = Array.from({ length: 230 }, (_, index) => `site-${index + 1}.example`);
const oldest = "--sort-by id --sort asc";

describe("siteward websites list", () => {
  test("sends the given parameters, and the size of the page", async ({ cli }) => {
    await cli.run("websites list --search ex --sort-by domain --sort asc --per-page 25 --page 3");
    await cli.run("websites list");
    expect(cli.fake.requests.map(({ query }) => query)).toEqual([
      { search: "ex", sort_by: "domain", sort: "asc", per_page: "25", page: "3" },
      { per_page: "10" },
    ]);
  });

  test("prints a page as a JSON array of complete records, and an empty one as an empty array", async ({ cli }) => {
    await cli.add(...domains);
    const run = await cli.run(`websites list ${oldest}`);
    expect(run.stderr).toBe("");
    expect(jsonOf(run)).toEqual(cli.fake.websites.slice(0, 10));
    expect((await cli.run("websites list --search nothing")).stdout).toBe("[]\n");
  });

  test("reads every record with --all, and no more pages than it needs with --limit", async ({ cli }) => {
    await cli.add(...domains);
    const all = await cli.run(`websites list --all --fields id ${oldest}`);
    expect(jsonOf(all)).toEqual(domains.map((_, index) => ({ id: index + 1 })));
    expect(cli.fake.requests).toHaveLength(3);
    const some = await cli.run("websites list --limit 120 -o ndjson");
    expect(linesOf(some.stdout)).toHaveLength(120);
    expect(cli.fake.requests).toHaveLength(5);
  });

  test("reads on with --privacy until --limit, --per-page or 10 websites have the level", async ({ cli }) => {
    await cli.add(...domains);
    for (const id of [3, 50, 120, 200]) await cli.other.websites.update(id, { privacy: 1 });
    const list = async (flags: string) => {
      const { stdout } = await cli.run(`websites list ${oldest} --fields id ${flags}`);
      return jsonOf({ stdout }).map(({ id }: { readonly id: number }) => id);
    };
    expect(await list("--privacy private")).toEqual([3, 50, 120, 200]);
    expect(await list("--privacy 1 --all")).toEqual([3, 50, 120, 200]);
    const requests = cli.fake.requests.length;
    expect(await list("--privacy private --limit 3")).toEqual([3, 50, 120]);
    expect(cli.fake.requests).toHaveLength(requests + 2);
    expect(await list("--privacy public")).toHaveLength(10);
    expect(await list("--privacy public --per-page 25")).toHaveLength(25);
    expect(await list("--privacy password")).toEqual([]);
    expect(await cli.run("websites list --privacy private --page 2")).toMatchObject({ exitCode: 2 });
  });

  test("prints the records that were read before a failure, in a format that streams", async ({ cli }) => {
    await cli.add(...domains);
    cli.fake.failNext({ delayMs: 0 });
    const running = cli.run("websites list --all -o ndjson --retries 0");
    while (cli.fake.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    cli.fake.failNext({ code: "insufficient_scope" });
    const run = await running;
    expect(linesOf(run.stdout)).toHaveLength(100);
    expect(run.exitCode).toBe(4);
  });

  test("prints each format, with the fields in the requested order", async ({ cli }) => {
    await cli.add("site-1.example", "site-2.example");
    const list = async (flags: string) => (await cli.run(`websites list ${oldest} ${flags}`)).stdout;
    expect(await list("-o ndjson --fields domain,id")).toMatch(/^\{"domain":"site-1\.example","id":1\}\n.*\n$/);
    expect(await list("--output=csv --fields domain,exclude_bots")).toBe(
      "domain,exclude_bots\r\nsite-1.example,1\r\nsite-2.example,1\r\n",
    );
    expect(load(await list("-o yaml --fields id,domain"))).toContainEqual({ id: 1, domain: "site-1.example" });
    expect(await list("-o table")).toMatch(
      /^ID {2}Domain +Privacy {2}E-mail {2}Bots excluded {2}Created\n1 {3}site-1\.example {2}public {3}off {5}on +\S+Z\n/,
    );
    expect(await list("-o json -o csv --fields id")).toBe("id\r\n1\r\n2\r\n");
  });
});

test("a nested field can be selected alone or with its group", async ({ cli }) => {
  const nested = await cli.run("account --fields api_key.name,websites");
  expect(jsonOf(nested)).toEqual({ api_key: { name: "Test" }, websites: { count: 0, limit: null } });
  const flat = await cli.run("account --fields websites,api_key.scopes -o csv");
  const scopes = "websites:read,websites:write,account:read";
  expect(flat.stdout).toBe(`websites.count,websites.limit,api_key.scopes\r\n0,,"${scopes}"\r\n`);
});

describe("after a list on a terminal, a person reads", () => {
  test.for([
    ["--limit 12", "12 of 23 websites."],
    ["--all", "23 websites."],
    ["--search site-23", "1 website."],
    ["--limit 5 -o csv", "5 of 23 websites."],
    ["--page 3", "3 of 23 websites."],
    ["--privacy public", "The first 10 websites with the privacy level public. For all, use --all."],
    ["--privacy public --all", "23 websites with the privacy level public."],
    ["--privacy password", "No website has the privacy level password."],
  ] as const)("how much of it is shown: %s", async ([flags, note], { cli }) => {
    await cli.add(...domains.slice(0, 23));
    const { exitCode, screen } = await cli.show(`websites list ${flags}`, { columns: 200 });
    expect([exitCode, screen.lines.at(-1)]).toEqual([0, note]);
  });

  test("that there are more than were counted", async () => {
    const rewrite = (body: string) => body.replace('"total_relation":"eq"', '"total_relation":"gte"');
    await using served = await serveFake({ rewrite, websites: [{ domain: "a.example" }, { domain: "b.example" }] });
    expect((await openCli(served).show("websites list --limit 1")).screen.lines.at(-1)).toBe(
      "1 of at least 2 websites.",
    );
  });

  test("how to show the next page, and all of them", async ({ cli }) => {
    await cli.add(...domains.slice(0, 21));
    const next = (page: number) => `For the next page, use --page ${page}. For all pages, use --all.\n`;
    expect((await cli.show("websites list")).text).toContain(next(2));
    expect((await cli.show("websites list --page 2")).text).toContain(next(3));
    expect((await cli.show("websites list --page 3")).text).not.toContain("next page");
  });

  test.for([
    ["", 0, "No websites yet. Create one with `siteward websites create example.com`."],
    ["--all", 0, "No websites yet. Create one with `siteward websites create example.com`."],
    ["--search shop", 23, 'No websites match "shop".'],
    ["--search shop --limit 5", 0, 'No websites match "shop".'],
    ["--page 9", 23, "There is no page 9. The last page is 3."],
  ] as const)("why it is empty: %j", async ([flags, count, note], { cli }) => {
    await cli.add(...domains.slice(0, count));
    expect((await cli.show(`websites list ${flags}`)).text).toBe(`${note}\n`);
  });
});
