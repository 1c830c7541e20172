import { describe, expect, test } from "vitest";
import { openTerminal } from "./support/open-terminal.ts";
import { runCli } from "./support/run-cli.ts";
import { serveFake } from "./support/serve-fake.ts";

function domainsOf(records: readonly { readonly domain: string }[]): readonly string[] {
  return records.map(({ domain }) => domain);
}

describe("create", () => {
  test("creates each domain once, in order, with the same settings, and prints an array", async () => {
    await using served = await serveFake();
    const domains = ["b.example", "Bücher.example", "a.example", "B.example."];
    const run = await runCli(["websites", "create", ...domains, "--email", "on", "--exclude-params", "ref"], served);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(run.stdout)).toEqual(served.fake.websites);
    expect(served.fake.websites).toMatchObject([
      { id: 1, domain: "b.example", email: 1, exclude_params: ["ref"] },
      { id: 2, domain: "xn--bcher-kva.example", email: 1, exclude_params: ["ref"] },
      { id: 3, domain: "a.example", email: 1, exclude_params: ["ref"] },
    ]);
  });

  test("after a failure, prints what was created, what failed, and what was not tried", async () => {
    await using served = await serveFake({ websites: [{ domain: "c.example" }] });
    const domains = ["a.example", "b.example", "C.example", "d.example", "e.example"];
    const run = await runCli(["websites", "create", ...domains], served);
    expect(run.exitCode).toBe(5);
    expect(domainsOf(JSON.parse(run.stdout))).toEqual(["a.example", "b.example"]);
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: "domain_taken",
      failed: "C.example",
      not_tried: ["d.example", "e.example"],
    });
    expect(domainsOf(served.fake.websites)).toEqual(["c.example", "a.example", "b.example"]);
  });

  test("says in text what failed and what was not tried", async () => {
    await using served = await serveFake({ websites: [{ domain: "a.example" }] });
    using terminal = openTerminal(["websites", "create", "a.example", "b.example", "c.example"], served);
    expect(await terminal.exitCode).toBe(5);
    expect(terminal.screen()).toContain("\nFailed: a.example. Not tried: b.example, c.example.\n");
  });

  test("one domain prints one record, and its failure does not repeat the domain", async () => {
    await using served = await serveFake();
    const created = await runCli(["websites", "create", "a.example"], served);
    expect(JSON.parse(created.stdout)).toEqual(served.fake.websites[0]);
    const refused = await runCli(["websites", "create", "a.example"], served);
    expect(JSON.parse(refused.stderr).error).not.toHaveProperty("failed");
  });
});

describe("delete", () => {
  const websites = ["a", "b", "c", "d"].map((name) => ({ domain: `${name}.example` }));

  test("accepts IDs and domains, and deletes each website once", async () => {
    await using served = await serveFake({ websites });
    const run = await runCli(["websites", "delete", "B.example", "4", "2", "d.example", "1", "--yes"], served);
    expect(JSON.parse(run.stdout)).toEqual([
      { id: 2, domain: "b.example", deleted: true },
      { id: 4, domain: "d.example", deleted: true },
      { id: 1, domain: "a.example", deleted: true },
    ]);
    expect(domainsOf(served.fake.websites)).toEqual(["c.example"]);
  });

  test("deletes nothing if one of them does not exist, and names all that do not", async () => {
    await using served = await serveFake({ websites });
    const run = await runCli(["websites", "delete", "1", "x.example", "b.example", "99", "--yes"], served);
    expect(run).toMatchObject({ exitCode: 3, stdout: "" });
    expect(JSON.parse(run.stderr).error).toEqual({
      code: "not_found",
      message: "These websites do not exist: x.example, 99.",
      next: "Nothing was changed. List your websites with `siteward websites list`.",
    });
    expect(served.fake.websites).toHaveLength(4);
  });

  test("after a failure, prints what was deleted, what failed, and what was not tried", async () => {
    await using served = await serveFake({ websites });
    served.fake.failNext({ code: "unavailable", method: "DELETE", path: "/api/v1/websites/2" });
    const run = await runCli(["websites", "delete", "1", "b.example", "3", "d.example", "--yes"], served);
    expect(run.exitCode).toBe(1);
    expect(JSON.parse(run.stdout)).toEqual([{ id: 1, domain: "a.example", deleted: true }]);
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: "unavailable",
      failed: "b.example",
      not_tried: ["3", "d.example"],
    });
  });

  test("shows the domains before it prompts, at most ten of them", async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ domain: `site-${index + 1}.example` }));
    await using served = await serveFake({ websites: many });
    using terminal = openTerminal(["websites", "delete", ...many.map((_, index) => `${index + 1}`)], {
      ...served,
      columns: 400,
    });
    await terminal.waitFor("Delete 12 websites: site-1.example (ID 1), site-2.example (ID 2), ");
    await terminal.waitFor("site-10.example (ID 10) and 2 more? This cannot be undone.");
    terminal.type("y");
    expect(await terminal.exitCode).toBe(0);
    expect(served.fake.websites).toEqual([]);
  });

  test("prompts with the domain in ASCII with --ascii", async () => {
    await using served = await serveFake({ websites: [{ domain: "bücher.example" }] });
    using terminal = openTerminal(["websites", "delete", "1", "--ascii"], served);
    await terminal.waitFor("Delete xn--bcher-kva.example (ID 1)?");
  });

  test("a key that cannot read deletes by ID, and does not know the domain", async () => {
    await using served = await serveFake({ websites });
    const env = { ...served.env, SITEWARD_API_KEY: served.fake.createApiKey({ scopes: ["websites:write"] }) };
    const run = await runCli(["websites", "delete", "1", "1", "2", "--yes"], { env });
    expect(JSON.parse(run.stdout)).toEqual([
      { id: 1, domain: null, deleted: true },
      { id: 2, domain: null, deleted: true },
    ]);
    const byDomain = await runCli(["websites", "delete", "c.example", "--yes"], { env });
    expect(byDomain.exitCode).toBe(4);
    expect(domainsOf(served.fake.websites)).toEqual(["c.example", "d.example"]);
  });
});

describe("Ctrl-C", () => {
  test("finishes the website in work, prints what is done, and says what was not tried", async () => {
    await using served = await serveFake();
    served.fake.delayNext({ delayMs: 1500, method: "POST" });
    using terminal = openTerminal(["websites", "create", "a.example", "b.example", "c.example", "-o", "csv"], served);
    while (served.fake.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    terminal.type("\u0003");
    expect(await terminal.exitCode).toBe(130);
    expect(domainsOf(served.fake.websites)).toEqual(["a.example"]);
    expect(terminal.screen()).toContain("\n1,a.example,");
    expect(terminal.screen()).toContain("Not tried: b.example, c.example.");
  });
});
