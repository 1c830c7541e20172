import { describe, expect } from "vitest";
import { openCli, test } from "./support/cli-test.ts";
import { errorOf, jsonOf, warningsOf } from "./support/run-cli.ts";
import { serveFake } from "./support/serve-fake.ts";

function domainsOf(records: readonly { readonly domain: string }[]): readonly string[] {
  return records.map(({ domain }) => domain);
}

describe("siteward websites create", () => {
  test("creates each domain once, in order, with the same settings, and prints an array", async ({ cli }) => {
    const domains = "b.example Bücher.example a.example B.example.";
    const run = await cli.run(`websites create ${domains} --email on --exclude-params ref`);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(jsonOf(run)).toEqual(cli.fake.websites);
    expect(cli.fake.websites).toMatchObject([
      { id: 1, domain: "b.example", email: 1, exclude_params: ["ref"] },
      { id: 2, domain: "xn--bcher-kva.example", email: 1, exclude_params: ["ref"] },
      { id: 3, domain: "a.example", email: 1, exclude_params: ["ref"] },
    ]);
  });

  test("creates the others if some exist, says which, ends with 7, and with 5 once all exist", async ({ cli }) => {
    await cli.add("c.example");
    const domains = ["a.example", "b.example", "C.example", "d.example"];
    const run = await cli.run(["websites", "create", ...domains, "--email", "on"]);
    expect(run.exitCode).toBe(7);
    expect(domainsOf(jsonOf(run))).toEqual(["a.example", "b.example", "d.example"]);
    expect(errorOf(run)).toEqual({
      code: "partly_done",
      message: "Some of the websites exist already (3 created, 1 already there).",
      next: "To change websites that exist, use `siteward websites update`.",
      existing: ["C.example"],
      not_tried: [],
    });
    expect(cli.fake.websites[0]).toMatchObject({ domain: "c.example", email: 0 });
    const again = await cli.run(["websites", "create", ...domains]);
    expect(again).toMatchObject({ exitCode: 5, stdout: "" });
    expect(errorOf(again)).toMatchObject({ code: "already_exists", existing: domains });
  });

  test("after a failure, prints what is created, failed and not tried; a second run does the rest", async () => {
    await using served = await serveFake({ websiteLimit: 2 });
    const { other, run: cli } = openCli(served);
    const domains = ["a.example", "b.example", "c.example", "d.example", "e.example"];
    const run = await cli(["websites", "create", ...domains]);
    expect(run.exitCode).toBe(7);
    expect(domainsOf(jsonOf(run))).toEqual(["a.example", "b.example"]);
    expect(errorOf(run)).toMatchObject({
      code: "partly_done",
      message: expect.stringMatching(/^Stopped at c\.example: .*limit of 2.* \(2 created, 1 failed, 2 not tried\)$/),
      failed: "c.example",
      not_tried: ["d.example", "e.example"],
    });
    await other.websites.delete(1);
    const again = await cli(["websites", "create", ...domains.slice(1)]);
    expect(errorOf(again)).toMatchObject({ failed: "d.example", existing: ["b.example"] });
  });

  test("keeps the exit code of a failure before anything is created, and says in text what was not tried", async () => {
    await using served = await serveFake({ websites: [{ domain: "a.example" }], websiteLimit: 1 });
    const cli = openCli(served);
    const run = await cli.run("websites create b.example c.example");
    expect(run).toMatchObject({ exitCode: 4, stdout: "" });
    expect(errorOf(run)).toMatchObject({
      code: "website_limit_reached",
      failed: "b.example",
      not_tried: ["c.example"],
    });
    const { text } = await cli.show("websites create a.example b.example c.example");
    expect(text).toContain("\nFailed: b.example. Exist already: a.example. Not tried: c.example.\n");
    const many = Array.from({ length: 22 }, (_, index) => `site-${index}.example`);
    const { text: long } = await cli.show(["websites", "create", ...many], { columns: 1_000 });
    expect(long).toMatch(/Failed: site-0\.example\. Not tried: site-1\.example, .*site-20\.example, … and 1 more\.$/m);
  });
});

describe("siteward websites delete", () => {
  const all = ["a.example", "b.example", "c.example", "d.example"];

  test("accepts IDs and domains, and deletes each website once", async ({ cli }) => {
    await cli.add(...all);
    const run = await cli.run("websites delete B.example 4 2 d.example 1 --yes");
    expect(jsonOf(run)).toEqual([
      { id: 2, domain: "b.example", deleted: true },
      { id: 4, domain: "d.example", deleted: true },
      { id: 1, domain: "a.example", deleted: true },
    ]);
    expect(domainsOf(cli.fake.websites)).toEqual(["c.example"]);
  });

  test("deletes nothing if one of them does not exist, and names all that do not", async ({ cli }) => {
    await cli.add(...all);
    const run = await cli.run("websites delete 1 x.example b.example 99 --yes");
    expect(run).toMatchObject({ exitCode: 3, stdout: "" });
    expect(errorOf(run)).toEqual({
      code: "not_found",
      message: "Does not exist: x.example, 99.",
      next:
        "Nothing was changed. List your websites with `siteward websites list`, " +
        "or delete those that exist with --ignore-missing.",
      missing: ["x.example", "99"],
    });
    expect(cli.fake.websites).toHaveLength(4);
    const one = await cli.run("websites delete X.example --yes");
    expect(errorOf(one)).toMatchObject({ code: "not_found", missing: ["X.example"] });
    const missing = Array.from({ length: 30 }, (_, index) => `missing-${index}.example`);
    const allMissing = await cli.run(["websites", "delete", ...missing, "--yes"]);
    expect(errorOf(allMissing)).toMatchObject({ message: expect.stringMatching(/ and 10 more\.$/), missing });
  });

  test("names a website whose answer was lost, since nobody knows whether it was changed", async ({ cli }) => {
    await cli.add("a.example", "b.example", "c.example");
    cli.fake.failNext({ method: "PUT", networkError: true, when: "after" });
    cli.fake.failNext({ method: "GET", networkError: true, path: "/api/v1/websites/1", times: 3 });
    const run = await cli.run("websites update a.example b.example c.example --email on --retries 0");
    expect(errorOf(run)).toMatchObject({
      code: "partly_done",
      unknown: ["a.example"],
      not_tried: ["b.example", "c.example"],
    });
    expect(errorOf(run)).not.toHaveProperty("failed");
    expect(cli.fake.websites.map(({ email }) => email)).toEqual([1, 0, 0]);
  });

  test("after a failure, prints what is deleted, failed and not tried; a second run does the rest", async ({ cli }) => {
    await cli.add(...all);
    cli.fake.failNext({ code: "insufficient_scope", method: "DELETE", path: "/api/v1/websites/2" });
    const run = await cli.run("websites delete 1 b.example 3 d.example --yes");
    expect(run.exitCode).toBe(7);
    expect(jsonOf(run)).toEqual([{ id: 1, domain: "a.example", deleted: true }]);
    expect(errorOf(run)).toMatchObject({
      code: "partly_done",
      message: expect.stringMatching(/^Stopped at b\.example: .* \(1 deleted, 1 failed, 2 not tried\)$/),
      next: "Run the command again with --ignore-missing to delete the rest.",
      failed: "b.example",
      not_tried: ["3", "d.example"],
    });
    const again = await cli.run("websites delete 1 b.example 3 d.example --yes --ignore-missing");
    expect(again.exitCode).toBe(0);
    expect(warningsOf(again)).toEqual(["Does not exist: 1."]);
    expect(cli.fake.websites).toEqual([]);
  });

  test("--ignore-missing deletes what exists and warns of the rest, even if that is everything", async ({ cli }) => {
    await cli.add(...all);
    const remove = (names: string) => cli.run(`websites delete ${names} --yes --ignore-missing`);
    const some = await remove("x.example a.example 99");
    expect(jsonOf(some)).toEqual([{ id: 1, domain: "a.example", deleted: true }]);
    expect(warningsOf(some)).toEqual(["Does not exist: x.example, 99."]);
    for (const names of ["a.example", "1", "1 a.example"]) {
      const none = await remove(names);
      expect(none).toMatchObject({ exitCode: 0, stdout: "[]\n" });
      expect(warningsOf(none)).toEqual([`Does not exist: ${names.replace(" ", ", ")}.`]);
    }
    cli.fake.failNext({ code: "not_found", method: "DELETE", path: "/api/v1/websites/2" });
    const gone = await remove("b.example c.example");
    expect(gone).toMatchObject({ exitCode: 0, stderr: "" });
    expect(jsonOf(gone)).toEqual([{ id: 3, domain: "c.example", deleted: true }]);
  });

  test("by ID needs a key that can write only, and does not know the domain", async ({ cli }) => {
    await cli.add(...all);
    const env = { SITEWARD_API_KEY: cli.fake.createApiKey({ scopes: ["websites:write"] }) };
    const run = await cli.run("websites delete 1 1 2 --yes", { env });
    expect(jsonOf(run)).toEqual([
      { id: 1, domain: null, deleted: true },
      { id: 2, domain: null, deleted: true },
    ]);
    expect((await cli.run("websites delete c.example --yes", { env })).exitCode).toBe(4);
    expect(domainsOf(cli.fake.websites)).toEqual(["c.example", "d.example"]);
  });
});

test("an update of several reads them once, and an entry that no website can have costs one more request", async ({
  cli,
}) => {
  await cli.add("a.example", "b.example", "c.example");
  const update = "websites update a.example 2 c.example";
  expect((await cli.run(`${update} --exclude-ips x`)).exitCode).toBe(2);
  expect(cli.fake.requests.map(({ method }) => method)).toEqual(["GET", "PUT"]);
  expect((await cli.run(`${update} --email on`)).exitCode).toBe(0);
  expect(cli.fake.requests.map(({ method }) => method).slice(2)).toEqual(["GET", "PUT", "PUT", "PUT"]);
});
