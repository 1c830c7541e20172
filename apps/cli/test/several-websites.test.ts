import { describe, expect, test } from "vitest";
import { openTerminal } from "./support/open-terminal.ts";
import { runCli } from "./support/run-cli.ts";
import { serveFake } from "./support/serve-fake.ts";

function domainsOf(records: readonly { readonly domain: string }[]): readonly string[] {
  return records.map(({ domain }) => domain);
}

/** What `websites delete --ignore-missing` says of websites that do not exist. */
function warningOf(names: string): string {
  return `${JSON.stringify({ warning: { message: `Does not exist: ${names}.` } })}\n`;
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

  test("creates the others if some exist, says which, ends with 7, and with 5 once all exist", async () => {
    await using served = await serveFake({ websites: [{ domain: "c.example" }] });
    const domains = ["a.example", "b.example", "C.example", "d.example"];
    const run = await runCli(["websites", "create", ...domains, "--email", "on"], served);
    expect(run.exitCode).toBe(7);
    expect(domainsOf(JSON.parse(run.stdout))).toEqual(["a.example", "b.example", "d.example"]);
    expect(JSON.parse(run.stderr).error).toEqual({
      code: "partly_done",
      message: "Some of the websites exist already (3 created, 1 already there).",
      next: "To change websites that exist, use `siteward websites update`.",
      existing: ["C.example"],
      not_tried: [],
    });
    expect(served.fake.websites[0]).toMatchObject({ domain: "c.example", email: 0 });
    const again = await runCli(["websites", "create", ...domains], served);
    expect(again).toMatchObject({ exitCode: 5, stdout: "" });
    expect(JSON.parse(again.stderr).error).toMatchObject({ code: "already_exists", existing: domains });
  });

  test("after a failure, prints what was created, what failed, and what was not tried; a second run does the rest", async () => {
    await using served = await serveFake({ websiteLimit: 2 });
    const domains = ["a.example", "b.example", "c.example", "d.example", "e.example"];
    const run = await runCli(["websites", "create", ...domains], served);
    expect(run.exitCode).toBe(7);
    expect(domainsOf(JSON.parse(run.stdout))).toEqual(["a.example", "b.example"]);
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: "partly_done",
      message: expect.stringMatching(/^Stopped at c\.example: .*limit of 2.* \(2 created, 1 failed, 2 not tried\)$/),
      failed: "c.example",
      not_tried: ["d.example", "e.example"],
    });
    served.fake.deleteWebsite(1);
    const again = await runCli(["websites", "create", ...domains.slice(1)], served);
    expect(JSON.parse(again.stderr).error).toMatchObject({ failed: "d.example", existing: ["b.example"] });
  });

  test("keeps the exit code of a failure before anything is created", async () => {
    await using served = await serveFake({ websiteLimit: 0 });
    const run = await runCli(["websites", "create", "a.example", "b.example"], served);
    expect(run).toMatchObject({ exitCode: 4, stdout: "" });
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: "website_limit_reached",
      failed: "a.example",
      not_tried: ["b.example"],
    });
  });

  test("says in text what failed, what exists and what was not tried", async () => {
    await using served = await serveFake({ websites: [{ domain: "a.example" }], websiteLimit: 1 });
    using terminal = openTerminal(["websites", "create", "a.example", "b.example", "c.example"], served);
    expect(await terminal.exitCode).toBe(4);
    expect(terminal.screen()).toContain("\nFailed: b.example. Exist already: a.example. Not tried: c.example.\n");
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
      next:
        "Nothing was changed. List your websites with `siteward websites list`, " +
        "or delete those that exist with --ignore-missing.",
      missing: ["x.example", "99"],
    });
    expect(served.fake.websites).toHaveLength(4);
    const many = Array.from({ length: 30 }, (_, index) => `missing-${index}.example`);
    const allMissing = await runCli(["websites", "delete", ...many, "--yes"], served);
    expect(JSON.parse(allMissing.stderr).error).toMatchObject({
      message: expect.stringMatching(/ and 10 more\.$/),
      missing: many,
    });
  });

  test("after a failure, prints what was deleted, what failed, and what was not tried; a second run does the rest", async () => {
    await using served = await serveFake({ websites });
    served.fake.failNext({ code: "insufficient_scope", method: "DELETE", path: "/api/v1/websites/2" });
    const names = ["1", "b.example", "3", "d.example"];
    const run = await runCli(["websites", "delete", ...names, "--yes"], served);
    expect(run.exitCode).toBe(7);
    expect(JSON.parse(run.stdout)).toEqual([{ id: 1, domain: "a.example", deleted: true }]);
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: "partly_done",
      message: expect.stringMatching(/^Stopped at b\.example: .* \(1 deleted, 1 failed, 2 not tried\)$/),
      next: "Run the command again with --ignore-missing to delete the rest.",
      failed: "b.example",
      not_tried: ["3", "d.example"],
    });
    const again = await runCli(["websites", "delete", ...names, "--yes", "--ignore-missing"], served);
    expect(again).toMatchObject({ exitCode: 0, stderr: warningOf("1") });
    expect(JSON.parse(again.stdout).map(({ id }: { id: number }) => id)).toEqual([2, 3, 4]);
    expect(served.fake.websites).toEqual([]);
  });

  test("keeps the exit code of a failure before anything is deleted", async () => {
    await using served = await serveFake({ websites });
    served.fake.failNext({ code: "insufficient_scope", method: "DELETE" });
    const run = await runCli(["websites", "delete", "1", "2", "--yes"], served);
    expect(run).toMatchObject({ exitCode: 4, stdout: "" });
    expect(JSON.parse(run.stderr).error).toMatchObject({ failed: "1", not_tried: ["2"] });
  });

  test("--ignore-missing deletes what exists and warns of the rest, also if nothing does, or if a website goes meanwhile", async () => {
    await using served = await serveFake({ websites });
    const { fake } = served;
    const remove = (...names: string[]) =>
      runCli(["websites", "delete", ...names, "--yes", "--ignore-missing"], served);
    const some = await remove("x.example", "a.example", "99");
    expect(some).toMatchObject({ exitCode: 0, stderr: warningOf("x.example, 99") });
    expect(JSON.parse(some.stdout)).toEqual([{ id: 1, domain: "a.example", deleted: true }]);
    for (const names of [["a.example"], ["1"], ["1", "a.example"]]) {
      expect(await remove(...names)).toEqual({ exitCode: 0, stdout: "[]\n", stderr: warningOf(names.join(", ")) });
    }
    fake.failNext({ code: "not_found", method: "DELETE", path: "/api/v1/websites/2" });
    const gone = await remove("b.example", "c.example");
    expect(gone).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(gone.stdout)).toEqual([{ id: 3, domain: "c.example", deleted: true }]);
    using terminal = openTerminal(["websites", "delete", "x.example", "d.example", "--ignore-missing"], served);
    await terminal.waitFor("Does not exist: x.example.");
    await terminal.waitFor("Delete d.example (ID 4)?");
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

test("creates and deletes wait while the rate limit refuses them, longer than failures are retried", async () => {
  await using served = await serveFake();
  const limits = { "ratelimit-policy": '"default";q=600;w=60', ratelimit: '"default";r=0;t=1' };
  const refuse = (method: "POST" | "DELETE") =>
    served.fake.failNext({ method, code: "rate_limited", times: 2, headers: { ...limits, "retry-after": "1" } });
  refuse("POST");
  const created = await runCli(["websites", "create", "a.example", "b.example", "--retries", "1"], served);
  expect(created).toMatchObject({ exitCode: 0 });
  refuse("DELETE");
  const deleted = await runCli(["websites", "delete", "a.example", "b.example", "--yes", "--retries", "1"], served);
  expect(deleted).toMatchObject({ exitCode: 0 });
  expect(served.fake.websites).toEqual([]);
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
