import { apiKeySecretLength, formatApiKey } from "@siteward/contract/plain";
import { expect } from "vitest";
import { test } from "./support/cli-test.ts";
import { measureCli } from "./support/measure-cli.ts";
import { numbered } from "./support/numbered.ts";

/** A file of a stranger, and what the CLI says of it: what is wrong, and where or what to do. */
type HostileFile = readonly [command: readonly string[], extension: string, text: () => string, expected: RegExp];

const plan = ["plan"];
const check = ["check", "--output", "table"];
const csv = ["import", "--dry-run", "--output", "table", "--format", "csv"];
const json = [...csv.slice(0, -1), "json"];
const ndjson = [...csv.slice(0, -1), "ndjson"];
const head = "version: 1\nwebsites:\n";

/** An attack has them as they were found: a few megabytes, which a pull request can contain. Here, most have a tenth of that. */
const isAttack = process.env["TEST_SITEWARD_ATTACK"] !== undefined;
const share = (count: number) => (isAttack ? count : count / 10);

/** The worst that were found. */
const hostileFiles: Readonly<Record<string, HostileFile>> = {
  "4 MB of [": [plan, "yaml", () => fill("[", 4), /line 1: has too many values for one file; split it/],
  "aliases of aliases": [check, "yaml", laugh, /line 14: is not a website; write a domain/],
  "80,000 lists of empty items in one line": [
    check,
    "yaml",
    () => `version: 1\nwebsites: [${"[&a ,&b ,&c],".repeat(share(80_000))}]`,
    /line 2: is not a website[\s\S]*has 80+ problems\. The first 1,000 are listed/,
  ],
  "90,000 websites of ten fields, each with a name of its own": [
    ["import", "--dry-run", "--output", "json", "--format", "yaml"],
    "yaml",
    () =>
      head +
      numbered(share(90_000), (at) => `- domain: a${at}.example\n${numbered(10, (key) => `  k${key}x${at}: 7\n`)}`),
    /"place": "line 4",\s+"domain": "a0\.example",[^{]+\\"k0x0\\" is unknown; [^{]+"k9x0/,
  ],
  "300 lists that contain all lists above them": [
    check,
    "yaml",
    () => shared(300, (at) => numbered(at, (above) => `"@a${at - 1 - above}", `), "@a299"),
    /line \d+: list a\d+ \(for exclude_ips\) is nested more than 32 deep/,
  ],
  "3,900 lines with 1,000 unknown columns": [
    csv,
    "csv",
    () => `domain${numbered(999, (at) => `,c${at}`)}\n${`a_b${",x".repeat(999)}\n`.repeat(share(3_900))}`,
    /No website has these columns:/,
  ],
  "27,000 lines with 100 unknown fields": [
    ndjson,
    "ndjson",
    () => `{"domain":"a.example"${numbered(99, (at) => `,"f${at}":1`)}}\n`.repeat(share(27_000)),
    /line 1: a\.example: "f0" is unknown/,
  ],
  "3.9 MB of [ in JSON": [json, "json", () => fill("[", share(3.9)), /is not valid JSON: it ends too early/],
  "2 million objects, each with a key of its own": [
    json,
    "json",
    () => `{"data": [{"a": [${numbered(share(1_300_000), (at) => `{"k${at}":1},`)}1]}]}`,
    /item 1: domain is required/,
  ],
  "32 MB of entries in a string": [
    json,
    "json",
    () => `[{"domain":"a.example","exclude_ips":"${"aa\\n".repeat(share(8_000_000))}"}]`,
    /item 1: a\.example: exclude_ips has /,
  ],
};

/** The CLI takes 80 to 100 MB without a file. */
const maxPeakBytes = 100e6 + share(700e6);
/** An import needs a key before it says what is wrong with each line. */
const anyKey = formatApiKey("A".repeat(apiKeySecretLength));

test.for(Object.entries(hostileFiles))(
  "is refused with 800 MB of memory: %s",
  async ([, [command, extension, write, expected]], { folder }) => {
    const path = await folder.write(`siteward.${extension}`, write());
    // Nothing listens there. A file must be refused before anything is sent.
    const env = { SITEWARD_CONFIG_DIR: folder.path, SITEWARD_BASE_URL: "http://127.0.0.1:9", SITEWARD_API_KEY: anyKey };
    const [name = "", ...options] = command;
    // Rows are also read from a pipe.
    const source = name === "import" ? "-" : path;
    const { exitCode, output, peakBytes } = await measureCli([name, source, ...options], env, path);
    expect(output).toMatch(expected);
    expect(exitCode).toBe(2);
    expect(peakBytes).toBeLessThan(maxPeakBytes);
  },
);

test("the plan of 100,000 websites with all settings needs 800 MB", async ({ cli, folder }) => {
  const websites = numbered(share(100_000), (at) => {
    const lists = `  exclude_params:\n  - utm_${at}\n  - ref\n  exclude_ips:\n  - 2001:db8::${at % 10_000}\n`;
    return `- domain: site-${at}.example\n  privacy: private\n  email: true\n  exclude_bots: false\n${lists}`;
  });
  const path = await folder.write("siteward.yaml", head + websites);
  const { exitCode, output, peakBytes } = await measureCli(["plan", "-", "--output", "json"], cli.env, path);
  expect(exitCode, output.slice(0, 500)).toBe(0);
  expect(peakBytes).toBeLessThan(maxPeakBytes);
});

function fill(part: string, megabytes: number): string {
  return part.repeat(Math.ceil((megabytes * 1_000_000) / part.length));
}

/** Twelve lists, each with ten aliases of the one above it. */
function laugh(): string {
  const items = (level: number) => (level === 0 ? "a" : Array.from({ length: 10 }, () => `*l${level - 1}`).join(", "));
  return `version: 1\n${numbered(12, (level) => `x-${level}: &l${level} [${items(level)}]\n`)}websites: *l11`;
}

/** A website with an exclusion, below shared lists. */
function shared(count: number, entries: (index: number) => string, exclusion: string): string {
  const lists = numbered(count, (at) => `  a${at}: [${entries(at)}]\n`);
  return `lists:\n${lists}${head}- {domain: a.example, exclude_ips: "${exclusion}"}\n`;
}
