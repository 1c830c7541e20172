import { describe, expect } from "vitest";
import { test as base, openCli } from "./support/cli-test.ts";
import type { Transcript } from "./support/run-cli.ts";
import { serveFake } from "./support/serve-fake.ts";

/** The longest domain that is valid: 253 characters. */
const longestDomain = ["a", "b", "c"].map((letter) => `${letter.repeat(63)}.`).join("") + "d".repeat(61);

const domains = [
  "example.com",
  longestDomain,
  "bücher.example",
  "例え.テスト",
  "हिन्दी.भारत",
  "한국어.한국",
  "xn--pple-43d.com",
];

const files = {
  "siteward.yaml": `version: 1
defaults: { privacy: private }
websites:
  - example.com
  - ${"q".repeat(63)}.example
  - 例え.新しい
  - domain: lists.example
    exclude_params: [utm_*, fbclid, gclid, "${"y".repeat(128)}"]
    exclude_ips: [203.0.113.0/24, 2001:db8::/32]
  - domain: new.example
    privacy: password
    password_env: A_VARIABLE_WITH_A_VERY_LONG_NAME_FOR_THE_PASSWORD
`,
  "domains.txt": `new.example
https://bad.example/with/a/path
${"a".repeat(70)}.example
例え.jp/路
example.com
under_score.example
`,
  "visits.ndjson": `{"url": "https://example.com/a?b=${"c".repeat(300)}", "user_agent": ""}
{"url": "https://${"q".repeat(63)}.example/", "ip": "2001:db8:1111:2222:3333:4444:5555:30"}
{"url": "https://例え.テスト/価格"}
not a visit
`,
};

/** Shows a command line in the account with websites and files that are hard to show. */
const test = base.extend<{ readonly show: (words: string, columns: number) => Promise<Transcript> }>({
  show: async ({ cli, folder }, use) => {
    await cli.add(...domains);
    await cli.other.websites.create({ domain: "protected.example", privacy: 2, password: "correct horse", email: 1 });
    const exclude_ips = Array.from({ length: 30 }, (_, index) => `2001:db8:1111:2222:3333:4444:5555:${index + 1}`);
    const lists = { exclude_params: ["utm_*", "ref", "x".repeat(128)], exclude_ips };
    await cli.other.websites.create({ domain: "lists.example", privacy: 1, exclude_bots: 0, ...lists });
    for (const [name, content] of Object.entries(files)) await folder.write(name, content);
    const names = new RegExp(`\\b(${Object.keys(files).join("|")})`, "g");
    await use((words, columns) =>
      cli.show(words.replaceAll(names, `${folder.path}/$1`), {
        columns,
        env: { CI: "true", SITEWARD_CONFIG_DIR: folder.path },
      }),
    );
  },
});

describe.for([40, 50, 100])("at %i columns", (columns) => {
  test("a list shows every website in rows that fit, or as cards below 50 columns", async ({ cli, show }) => {
    const transcript = await show("websites list --sort-by id --sort asc --all", columns);
    expect(transcript.exitCode).toBe(0);
    const isCards = columns < 50;
    if (!isCards) expect(transcript.screen.wrappedLines).toEqual([]);
    for (const { id } of cli.fake.websites) {
      const row = new RegExp(isCards ? `^ID +${id}$` : `^${id} {2,}[^ ]`);
      expect(transcript.screen.lines.filter((line) => row.test(line))).toHaveLength(1);
    }
    for (const domain of domains.filter((each) => each !== longestDomain)) expect(transcript.text).toContain(domain);
    expect((await show("websites list --all --ascii", columns)).text).not.toContain("bücher");
  });

  test("a website is shown in full", async ({ show }) => {
    const shown = async (words: string) => (await show(words, columns)).text.replaceAll(/\s/g, "");
    expect(await shown(`websites get ${longestDomain}`)).toContain(longestDomain);
    const lists = await shown("websites get lists.example --etag");
    expect(lists).toContain("x".repeat(128));
    expect(lists).toContain("2001:db8:1111:2222:3333:4444:5555:30");
    expect(await shown("websites get protected.example")).toContain("Passwordsetyes");
  });

  test("the verdicts about a file are rows that fit, or cards below 50 columns", async ({ show }) => {
    const { exitCode, screen } = await show("websites check example.com visits.ndjson", columns);
    expect(exitCode).toBe(7);
    expect(screen.lines).toContainEqual(expect.stringMatching(columns < 50 ? /^Line +4$/ : /^4 {2,}-/));
    const rows = screen.wrappedLines.filter((line) => /^\d /.test(line));
    expect(columns < 50 ? [] : rows).toEqual([]);
  });
});

/** Sets the title, clears the screen, changes the color in two ways, reverses the text, and hides what follows and a sign. */
const attack = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egnp\u200b\u001b[8m";
/** Control characters but those of lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
/** Marks that change the direction of text or are not seen. In data, they are as the service sent them. */
const direction = /[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe("colors", () => {
  test.for([
    ["websites list", /^ID +Domain/],
    ["plan siteward.yaml --prune", /^\+ new\.example/],
    ["plan siteward.yaml --prune", /^- protected\.example/],
    ["websites get 99", /^Error:/],
    ["websites update --help", /^Options:/],
  ] as const)("`siteward %s` has them on a terminal", async ([words, line], { show }) => {
    expect((await show(words, 100)).screen.styledLines).toContainEqual(expect.stringMatching(line));
  });

  test.for([
    ["NO_COLOR=1", "", { NO_COLOR: "1" }],
    ["--no-color", " --no-color", {}],
    ["TERM=dumb", "", { TERM: "dumb" }],
  ] as const)(
    "nothing has them with %s, and only an empty NO_COLOR does not count",
    async ([_name, flag, env], { cli }) => {
      await cli.add("example.com");
      const all = ["websites update --help", "websites get 99", "websites list", "websites get 1", "account"];
      // The process reads the flag before anything else.
      for (const words of all.slice(0, flag === "" ? all.length : 2)) {
        const { raw } = flag === "" ? await cli.show(words, { env }) : await cli.open(`${words}${flag}`).finish();
        expect(raw).not.toMatch(control);
        expect(raw).not.toBe("");
        expect((await cli.show(words, { env: { NO_COLOR: "" } })).screen.styledLines).not.toEqual([]);
        expect((await cli.run(`${words} --output table`)).stdout).not.toMatch(control);
      }
    },
  );
});

/** Adds the attack to every string of a JSON answer. Times and links stay, since the CLI follows them. */
function spoil(body: string): string {
  if (body === "") return body;
  const kept = new Set(["code", "type", "created_at", "updated_at", "next_cursor", "next", "total_relation"]);
  return JSON.stringify(JSON.parse(body), (name, value) =>
    typeof value === "string" && !kept.has(name) ? `${value}${attack}` : value,
  );
}

describe("control sequences", () => {
  test.for([
    "websites list",
    "websites get 1",
    "websites get 99",
    "account",
    "websites create example.com",
    "websites update 1 --email on",
    "websites delete 2 --yes --if-match 9-9",
    "plan",
    "export",
    "api GET websites/1",
    "api GET account --include",
    "websites list --output csv",
    "websites list --output yaml",
    "websites list --output json",
    "websites list --output ndjson",
    "websites get 1 --output json",
    "--verbose account",
  ])("that the service sends reach no terminal with `siteward %s`", async (words, { folder }) => {
    await using served = await serveFake({ rewrite: spoil });
    const { other, show } = openCli(served);
    await other.websites.create({ domain: "example.com", exclude_params: ["utm_*"], exclude_ips: ["203.0.113.1"] });
    await other.websites.create({ domain: "old.example" });
    const path = await folder.write("siteward.yaml", "version: 1\nwebsites: [new.example]\n");
    const { raw } = await show(words === "plan" ? `plan ${path}` : words, { env: { NO_COLOR: "1" } });
    expect(raw).not.toMatch(control);
    const isData = / export|api |--output/.test(` ${words}`);
    if (!isData) expect(raw).not.toMatch(direction);
    expect(raw).not.toBe("");
  });

  const escaped = JSON.stringify(`${attack}.example`);
  const yaml = `version: 1
websites:
  - ${escaped}
  - domain: a.example
    ${JSON.stringify(attack)}: 1
    exclude_params: [${escaped}]
`;

  test.for([
    ["check FILE", yaml],
    ["plan FILE", yaml],
    ["apply FILE --yes", yaml],
    ["import FILE --format yaml", yaml],
    ["import FILE", `${attack}.example\nb.example/${attack}\n${attack}\n`],
    ["import FILE --format csv", `domain,${attack}\nc.example,${attack}\n`],
    ["import FILE --format json", JSON.stringify([{ domain: attack, [attack]: attack }])],
    [
      "import FILE --from matomo",
      JSON.stringify([{ main_url: `https://a.example/${attack}`, name: attack, excluded_ips: attack }]),
    ],
    ["import FILE --from plausible", JSON.stringify([{ domain: attack, [attack]: attack }])],
  ] as const)("of a file reach no terminal with `siteward %s`", async ([words, content], { cli, folder }) => {
    const path = await folder.write("file", content);
    const { raw, text } = await cli.show(words.replace("FILE", path), { env: { NO_COLOR: "1" } });
    expect(raw).not.toMatch(control);
    expect(raw).not.toMatch(direction);
    expect(text.trim()).not.toBe("");
  });
});
