import type { FakeSiteward } from "@siteward/sdk/testing";
import { describe, expect } from "vitest";
import { test } from "./support/cli-test.ts";
import { errorOf, jsonOf, linesOf, runCli, warningsOf } from "./support/run-cli.ts";

/** Returns the bodies of all requests, in the order of their domains: several requests are sent at the same time. */
function bodiesOf({ requests }: FakeSiteward): readonly unknown[] {
  const texts = requests.flatMap(({ body }) => (body === undefined ? [] : [JSON.stringify(body)]));
  return texts.toSorted().map((text) => JSON.parse(text));
}

describe("a site file", () => {
  test("is read with its defaults, and passwords from variables and files", async ({ cli, folder }) => {
    await folder.write("shop.txt", "correct horse\n");
    const text = `version: 1
defaults: { privacy: private }
websites:
  - a.example
  - { domain: b.example, privacy: password, password_env: B_PASSWORD }
  - { domain: c.example, privacy: password, password_file: shop.txt }
  - { domain: d.example, privacy: password, password_env: MISSING }
`;
    const path = await folder.write("siteward.yaml", text);
    const run = await cli.run(`import ${path}`, { env: { B_PASSWORD: "battery staple" } });
    expect(run.exitCode).toBe(7);
    const reason = "password_env: the environment variable MISSING is not set";
    expect(jsonOf(run)[3]).toMatchObject({ place: "line 7", outcome: "refused", reason });
    expect(bodiesOf(cli.fake)).toEqual([
      { domain: "a.example", privacy: 1 },
      { domain: "b.example", privacy: 2, password: "battery staple" },
      { domain: "c.example", privacy: 2, password: "correct horse" },
    ]);
  });

  test("with wrong websites has the lines that check names, and counts each website once", async ({ cli }) => {
    const website = "- domain: a.example\n    privacy: private\n    email: 3\n    exclude_params:\n    - a b\n";
    const stdin = `version: 1\nwebsites:\n  ${website}  - b.example\n`;
    const [first, second] = jsonOf(await runCli("check -", { stdin }));
    const run = await cli.run("import - --format yaml", { stdin });
    expect(run).toMatchObject({ exitCode: 7, stderr: expect.stringContaining("2 websites: 1 created, 1 refused") });
    expect(first).toMatchObject({ place: "line 5", domain: "a.example" });
    const reason = `${first.problem}; ${second.place}: ${second.problem}`;
    expect(jsonOf(run)[0]).toMatchObject({ place: "line 5", domain: "a.example", outcome: "refused", reason });
    const inOneLine = await cli.run("import - --format yaml", { stdin: "version: 1\nwebsites: [[], {}, c.example]" });
    expect(inOneLine.stderr).toContain("3 websites: 1 created, 2 refused");
  });

  test.for([
    ["defaults that are not valid", "version: 1\ndefaults: { privacy: privat }\nwebsites: [a.example]\n", 2],
    [
      "a list that is not valid",
      "version: 1\nlists: {a: [x]}\nwebsites: [{domain: a.example, exclude_ips: '@a'}]\n",
      2,
    ],
    ["an unknown section", "version: 1\nwebsites: [a.example]\ndefault: { privacy: private }\n", 3],
  ] as const)(
    "with %s creates nothing, since a private website could become public",
    async ([_, stdin, line], { cli }) => {
      const run = await cli.run("import -", { stdin });
      expect(run).toMatchObject({ exitCode: 2, stdout: "" });
      const message = expect.stringContaining(`Line ${line} of the file: `);
      expect(errorOf(run)).toMatchObject({ code: "input_refused", message });
      expect(cli.fake.requests).toEqual([]);
    },
  );

  test.for([
    ["version: 1\nwebsites:\n  - 'a\n", /^Line \d of the file: is not valid YAML: /],
    ["[".repeat(99), /^Line 1 of the file: is not valid YAML: nesting exceeded/],
    ["version: 1\ndefaults: {emial: on}\nwebsites: [a.example]\n", /^Line 2 of the file: .*; did you mean email\?$/],
    ["version: 2\nwebsites: [a/b]\n", /^Line 1 of the file: version is not 1; /],
  ] as const)(
    "names the first problem of the file, and check for the others: %j",
    async ([stdin, message], { cli }) => {
      const error = errorOf(await cli.run("import - --format yaml", { stdin }));
      expect(error.message).toMatch(message);
      expect(error.next).toContain("`siteward check`");
    },
  );
});

describe("a file", () => {
  test("with URLs is read by the hosts, which a warning names", async ({ cli }) => {
    const stdin = "https://a.example\nhttps://b.example/de\nc.example\nhttps://B.example/fr\n";
    const run = await cli.run("import -", { stdin });
    expect(run.exitCode).toBe(0);
    const outcomes = jsonOf(run).map(({ domain, outcome }: Record<string, unknown>) => `${domain} ${outcome}`);
    expect(outcomes).toEqual(["a.example created", "b.example created", "c.example created", "b.example skipped"]);
    expect(warningsOf(run)[0]?.split("\n")).toEqual([
      "These domains are not written as host names:",
      "  line 1: https://a.example is read as a.example",
      "  line 2: https://b.example/de is read as b.example",
      "  line 4: https://B.example/fr is read as b.example",
    ]);
  });

  test("without a valid line exits with 2, sends nothing, and is listed without a domain where it states none", async ({
    cli,
  }) => {
    const run = await cli.run("import -", { stdin: "domain,privacy\n,private\n" });
    const reason = 'domain is required; send a host name such as "example.com"';
    expect(jsonOf(run)).toEqual([{ place: "line 2", domain: null, id: null, outcome: "refused", reason }]);
    expect(run.exitCode).toBe(2);
    expect(errorOf(run).code).toBe("input_refused");
    expect(cli.fake.requests).toEqual([]);
  });

  test("is imported with common names of columns, which a warning names, without the others of --fields", async ({
    cli,
  }) => {
    const stdin = "url,Visibility,Notes,email\na.example,private,y,on\nb.example,public,y,off\n";
    const run = await cli.run("import - --privacy public --fields domain,privacy", { stdin });
    expect(run.exitCode).toBe(0);
    expect(bodiesOf(cli.fake)).toEqual([
      { domain: "a.example", privacy: 1 },
      { domain: "b.example", privacy: 0 },
    ]);
    expect(warningsOf(run)).toEqual([
      'These columns are read as fields of a website:\n  "url" as domain\n  "visibility" as privacy',
    ]);
  });

  test.for([
    ["", "", "The file contains no websites."],
    ["domain,e-mail\na.example,on\n", "", '  "e_mail" is unknown; did you mean email?'],
    ["email,privacy\n", "--format csv", "The file contains no websites."],
    ["email;domains\non;a.example\n", "--format csv", '  "domains" is unknown; did you mean domain?'],
    ["email-me.example,on\nb.example,off\n", "--format csv", "no column named domain."],
    ["a.example,private\nb.example,private\n", "--format csv", "no column named domain."],
    // A misspelt column would be a setting that is lost.
    ["domain,notes,exclude_ip,privcy\na.example,x,,1\n", "", 'exclude_ips?\n  "privcy" is unknown; did you mean'],
    ["domain,tld,privacy\na.example,x,1\n", "", '"tld" If the file is that of another program, its "privacy" can mean'],
    [
      "domain,tld,active\na.example,x,1\n",
      "",
      'No website has these columns:\n  "tld"\n  "active" Rename or remove them',
    ],
    ["domain,site\na.example,x\n", "", '\n  "site"'],
    ["domain,x\na.example,x\n", "--fields domain,privacy", "no column named privacy."],
    ["domain,x\na.example,x\n", "--fields domain,x", 'Unknown field "x".'],
    ["a.example\n", "--fields domain", "--fields chooses columns of a CSV file. This file is read as list."],
    ["shop.example\n", "--format csv", "The file contains no websites."],
    ["name\nshop.example\n", "--format csv", "no column named domain."],
  ] as const)("%j with %j is refused as a whole: %s", async ([stdin, flags, message], { cli }) => {
    const run = await cli.run(`import - ${flags}`, { stdin });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(`${errorOf(run).message} ${errorOf(run).next}`).toContain(message);
    expect(cli.fake.requests).toEqual([]);
  });

  test("that does not exist, is UTF-16, or has too many bytes or values is refused", async ({ cli, folder }) => {
    for (const [name, content, problem] of [
      [
        "wide.csv",
        Buffer.from("domain\r\na.example\r\n", "utf16le"),
        "is UTF-16 or not a text file; save it as UTF-8.",
      ],
      [
        "sites.xlsx",
        "PK\u0003\u0004\u0014\u0000",
        "is a spreadsheet or a ZIP archive; open it, and save it as CSV in UTF-8.",
      ],
      ["large.txt", "#".repeat(33 * 1024 * 1024), "is larger than 32 MiB. Split it into several files."],
      ["long.txt", "\n".repeat(4_000_001), "has more than 4,000,000 values. Split it into several files."],
    ] as const) {
      const path = await folder.write(name, content);
      const run = await cli.run(["import", path]);
      expect([run.exitCode, errorOf(run).message]).toEqual([2, `${path} ${problem}`]);
    }
    const missing = errorOf(await cli.run("import /nonexistent/domains.txt"));
    expect(missing.message).toBe("Cannot read /nonexistent/domains.txt: no such file or directory.");
  });
});

describe("a file of another service", () => {
  test("is imported with what websites do not have said once", async ({ cli }) => {
    const sites = ["a.example", "b.example"].map((host) => ({ idsite: "1", name: "A", main_url: `https://${host}/` }));
    const run = await cli.run("import - --from matomo", { stdin: JSON.stringify(sites) });
    expect(run.exitCode).toBe(0);
    expect(warningsOf(run)).toEqual([
      "These fields have no place in a website and are not imported:\n  idsite\n  name",
      expect.stringMatching(/^The file does not contain these.*\n {2}other addresses of the sites\n/),
    ]);
    expect(cli.fake.websites).toMatchObject([{ privacy: 1 }, { privacy: 1 }]);
  });

  test("has a line for each value that is not imported, and 20 for people", async ({ cli, folder }) => {
    const sites = Array.from({ length: 23 }, (_, index) => ({ idsite: "1", main_url: `https://s${index}.example/de` }));
    const path = await folder.write("sites.json", JSON.stringify(sites));
    const words = `import ${path} --from matomo --dry-run`;
    const { exitCode, text } = await cli.show(words);
    expect(exitCode).toBe(0);
    expect(text).toContain(`
Warning: These domains are not written as host names:
  item 1: https://s0.example/de is read as s0.example
  item 2: https://s1.example/de is read as s1.example
`);
    expect(text).toContain("  item 20: https://s19.example/de is read as s19.example\n  … and 3 more\n");
    const { stderr } = await cli.run(words);
    expect(linesOf(stderr)[2].warning.message.split("\n")).toHaveLength(24);
  });

  test.for([
    ["matomo", "json", '[{"idsite":"1","main_url":"https://a.example"}]'],
    ["matomo", "json", '{"1":{"idsite":"1","main_url":"https://a.example"}}'],
    ["matomo", "csv", "idsite,main_url\n1,https://a.example\n"],
    ["plausible", "json", '{"sites":[{"domain":"a.example","timezone":"Etc/UTC"}],"meta":{}}'],
    ["plausible", "json", '[{"domain":"a.example","timezone":"Etc/UTC","custom_properties":[]}]'],
    ["umami", "json", '{"data":[{"name":"A","domain":"a.example","shareId":null,"teamId":null}],"count":1}'],
    ["plausible", "csv", "id,domain,timezone,public\n1,a.example,Etc/UTC,t\n"],
    ["umami", "csv", "domain,shareId,teamId\na.example,6f,3\n"],
    ["umami", "csv", "domain,share_id,team_id\na.example,6f,3\n"],
  ] as const)("of %s in %s is refused once, with the flag to add", async ([name, format, stdin], { cli }) => {
    const run = await cli.run(`import - --format ${format}`, { stdin });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(errorOf(run)).toMatchObject({ code: "input_refused", next: `To import them, add --from ${name}.` });
    expect(cli.fake.requests).toEqual([]);
  });

  test.for([
    ["domain,timezone,contact\na.example,Etc/UTC,Ann\n", 2],
    ["domain,main_url\na.example,https://a.example/\n", 2],
    ['[{"domain":"a.example","teamId":3,"privacy":1}]', 2],
  ] as const)("is not what has one field that it has too: %j", async ([stdin, exitCode], { cli }) => {
    const run = await cli.run("import -", { stdin });
    expect(run).toMatchObject({ exitCode, stderr: expect.not.stringContaining("looks like the sites") });
  });

  test("of Plausible refuses a site with a path by its line, and imports the others", async ({ cli }) => {
    const run = await cli.run("import - --from plausible", {
      stdin: "domain,public\nexample.com/blog,t\na.example,t\n",
    });
    expect(run.exitCode).toBe(7);
    expect(jsonOf(run)).toMatchObject([
      { place: "line 2", outcome: "refused", reason: expect.stringContaining("domain contains a path") },
      { place: "line 3", outcome: "created" },
    ]);
  });
});
