import { describe, expect } from "vitest";
import { openCli, test } from "./support/cli-test.ts";
import { errorOf, jsonOf } from "./support/run-cli.ts";
import { serveFake } from "./support/serve-fake.ts";

const file = `version: 1
defaults: { privacy: private }
websites:
  - a.example
  - domain: b.example
    email: true
    exclude_ips: [203.0.113.9/24]
`;

describe("siteward plan", () => {
  test("prints the changes with the values of the HTTP interface, and changes nothing", async ({ cli }) => {
    await cli.add("a.example", "z.example");
    const planned = await cli.run("plan -", { stdin: file });
    expect(planned).toMatchObject({ exitCode: 0, stderr: "" });
    expect(jsonOf(planned)).toEqual({
      create: 1,
      update: 1,
      delete: 0,
      unchanged: 0,
      not_in_file: 1,
      opened: 0,
      passwords_deleted: 0,
      changes: [
        {
          action: "update",
          domain: "a.example",
          id: 1,
          place: "line 4",
          before: { privacy: 0 },
          after: { privacy: 1 },
          password: null,
        },
        {
          action: "create",
          domain: "b.example",
          id: null,
          place: "line 5",
          before: null,
          after: { privacy: 1, email: 1, exclude_bots: 1, exclude_params: [], exclude_ips: ["203.0.113.0/24"] },
          password: null,
        },
      ],
    });
    expect(cli.writes()).toEqual([]);
  });

  test("needs a password for a website that becomes protected, and for no other", async ({ cli }) => {
    await cli.other.websites.create({ domain: "a.example" });
    await cli.other.websites.create({ domain: "c.example", privacy: 2, password: "correct horse" });
    const stdin = "version: 1\ndefaults: {privacy: password}\nwebsites:\n  - a.example\n  - b.example\n  - c.example\n";
    const { code, message } = errorOf(await cli.run("plan - --set-passwords", { stdin }));
    expect(code).toBe("input_refused");
    expect(message.match(/^ {2}line \d: [abc]/gm)).toEqual(["  line 4: a", "  line 5: b"]);
  });

  test.for([
    ["0 without changes", "version: 1\nwebsites: [a.example]", "", 0],
    ["2 with changes", file, "", 2],
    ["2 with deletes", "version: 1\nwebsites: []", "--prune", 2],
    ["1 for a file with problems", "version: 2", "", 1],
    ["1 for wrong usage", file, "--prun", 1],
    ["1 for a wrong key", file, "--api-key-file /dev/null", 1],
  ] as const)("--detailed-exitcode ends with %s", async ([_what, stdin, flags, exitCode], { cli }) => {
    await cli.add("a.example");
    expect(await cli.run(`plan - --detailed-exitcode ${flags}`, { stdin })).toMatchObject({ exitCode });
  });

  test("sends one request for each 100 websites, also with --prune", async () => {
    const domains = Array.from({ length: 250 }, (_, index) => `site-${index}.example`);
    await using served = await serveFake({ websites: domains.map((domain) => ({ domain })) });
    const stdin = `version: 1\nwebsites: [${domains.join(", ")}]`;
    for (const [flags, requests] of [
      ["", 3],
      ["--prune", 6],
    ]) {
      expect(jsonOf(await openCli(served).run(`plan - ${flags}`, { stdin }))).toMatchObject({ unchanged: 250 });
      expect(served.fake.requests).toHaveLength(Number(requests));
    }
  });
});
