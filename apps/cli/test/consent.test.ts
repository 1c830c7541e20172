import { describe, expect } from "vitest";
import { test } from "./support/cli-test.ts";
import { errorOf, jsonOf, warningsOf } from "./support/run-cli.ts";

describe("what becomes public", () => {
  test.for([
    ["a column", "import - --on-conflict update", "domain,privacy\na.example,0\n"],
    ["a column of another name", "import - --on-conflict update", "url,visibility\na.example,public\n"],
    ["a site file", "apply - --yes", "version: 1\nwebsites: [{domain: a.example, privacy: public}]\n"],
    ["nothing in a site file", "apply - --yes", "version: 1\nwebsites: [a.example]\n"],
    ["a flag", "websites update 1 --privacy public", ""],
    ["a flag for a version", "websites update a.example --privacy public --if-match *", ""],
    ["a flag for several", "websites update a.example b.example --privacy public", ""],
  ] as const)("by %s needs --allow-public in a script", async ([, command, stdin], { cli }) => {
    await cli.other.websites.create({ domain: "a.example", privacy: 1 });
    await cli.add("b.example");
    const run = await cli.run(command, { stdin });
    expect(run.exitCode).toBe(2);
    expect(errorOf(run)).toEqual({
      code: "confirmation_required",
      message: "1 website becomes public (a.example). Nothing was changed.",
      next: "To allow it, add --allow-public.",
      opened: ["a.example"],
      passwords_deleted: [],
    });
    expect(cli.writes()).toEqual([]);
    const allowed = await cli.run(`${command} --allow-public`, { stdin });
    expect([allowed.exitCode, cli.fake.websites[0]?.privacy]).toEqual([0, 0]);
    expect(cli.writes()).toHaveLength(1);
  });

  test.for([
    ["import a.csv --on-conflict update", "1 password is deleted for good (a.example). Import?"],
    ["websites update a.example --privacy private", "1 password is deleted for good (a.example). Update?"],
    ["websites update 1 2 --privacy private", "1 password is deleted for good (a.example). Update?"],
    ["apply --yes", "1 password is deleted for good (a.example). Apply these changes?"],
  ] as const)("or has no password any more is asked at a terminal: %s", async ([words, question], { cli, folder }) => {
    await cli.other.websites.create({ domain: "a.example", privacy: 2, password: "correct horse" });
    await cli.add("b.example");
    await folder.write("a.csv", "domain,privacy\na.example,1\n");
    await folder.write("siteward.yaml", "version: 1\nwebsites: [{domain: a.example, privacy: private}]\n");
    using terminal = cli.open(words, { folder: folder.path, columns: 200 });
    await terminal.waitFor(question);
    terminal.type("n");
    expect((await terminal.finish()).text).toContain("Nothing was changed.");
    expect(cli.fake.websites[0]?.has_password).toBe(true);
  });

  test("is in a dry run and in a plan, with the fields that change", async ({ cli }) => {
    await cli.other.websites.create({ domain: "a.example", privacy: 2, password: "correct horse" });
    const said = "1 website becomes public (a.example). 1 password is deleted for good (a.example).";
    const words = "import - --on-conflict update --dry-run";
    const csv = { stdin: "domain,privacy\na.example,0\n" };
    const run = await cli.run(words, csv);
    expect(jsonOf(run)).toMatchObject([{ outcome: "would_update", reason: "changes privacy" }]);
    expect(warningsOf(run)).toEqual([said]);
    const { stdout } = await cli.run(`${words} -o table`, csv);
    expect(stdout).toBe("line 2: a.example: changes privacy\n1 website: 1 to update.\n");
    const stdin = "version: 1\nwebsites: [a.example]";
    expect((await cli.run("plan - -o table", { stdin })).stdout).toContain(`\n${said}\n`);
    expect(jsonOf(await cli.run("plan -", { stdin }))).toMatchObject({ opened: 1, passwords_deleted: 1 });
  });
});

test("what `websites list --all --output csv` wrote is imported without a flag", async ({ cli }) => {
  await cli.other.websites.create({ domain: "a.example", privacy: 1 });
  const { stdout } = await cli.run("websites list --all --output csv");
  const run = await cli.run("import - --on-conflict update", { stdin: stdout });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(jsonOf(run)).toMatchObject([{ outcome: "unchanged" }]);
});
