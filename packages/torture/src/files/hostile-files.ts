import { addresses, hostileLists, numbered } from "./hostile-lists.ts";

/** A file that the CLI must refuse, and what it says of it. */
export interface HostileFile {
  readonly name: string;
  /** The arguments before the path. */
  readonly command: readonly string[];
  /** The extension says how the file is read. */
  readonly extension: string;
  readonly text: () => string;
  /** In the output of the command: what is wrong, and where or what to do. */
  readonly expected: RegExp;
}

const megabyte = 1_000_000;
const plan = ["plan"];
const check = ["check", "--output", "table"];
const dryRun = ["import", "--dry-run", "--output", "table"];
const head = "version: 1\nwebsites:\n";

/** From the worst that was found: 8 MB of `[` took 68 s and 4.2 GB. Each is a few megabytes, which a pull request can contain. */
export const hostileFiles: readonly HostileFile[] = [
  yaml(plan, "8 MB of [", () => fill("[", 8), /line 1: has lists or mappings that are nested more than 32/),
  yaml(plan, "2 MB of {a:", () => fill("{a: ", 2), /line 1: has lists or mappings that are nested more than 32/),
  yaml(
    check,
    "30,000 aliases of a long list",
    fillWithAliases,
    /line 20\d\d: has an alias past the limit of 1,000,000/,
  ),
  ...hostileLists.map(({ name, text, expected }) => yaml(check, name, text, expected)),
  rows("csv", "3 million lines", () => `domain\n${"a.co\n".repeat(3_000_000)}`, /more than 100,000 websites\. Split/),
  rows(
    "csv",
    "3,900 lines with 1,000 unknown columns",
    () => `domain${numbered(999, (at) => `,c${at}`)}\n${`a.example${",x".repeat(999)}\n`.repeat(3_900)}`,
    /These columns are unknown:/,
  ),
  rows("ndjson", "27,000 lines with 100 unknown fields", fillWithUnknown, /line 1: a0\.example: "f0" is unknown/),
  rows(
    "json",
    "27,000 items with 100 unknown fields",
    () => `[${fillWithUnknown().trim().replaceAll("\n", ",\n")}]`,
    /item 1: a0\.example: "f0" is unknown/,
  ),
  yaml(
    check,
    "100,000 passwords that protect nothing",
    () => head + numbered(100_000, (at) => `- {domain: a${at}.example, password_env: A}\n`),
    /line 3: a0\.example: password_env protects nothing[\s\S]*line 1002: is the last line that was read/,
  ),
  yaml(
    check,
    "220,000 domains in brackets",
    () => fillBrackets("a.co,", 220_000),
    /line 2: is past the limit of 100,000/,
  ),
  yaml(check, "56,000 pairs in brackets", () => fillBrackets("a: b,", 56_000), /line 2: domain is required/),
  yaml(check, "44,000 lists in lists in brackets", () => fillBrackets("[[a]],", 44_000), /line 2: is not a website/),
  rows("json", "8 MB of [", () => fill("[", 8), /nested more than 100 deep/),
  yaml(
    check,
    "lists in lists",
    () => `${head}- ${"[".repeat(100_000)}`,
    /line 3: has lists or mappings that are nested more/,
  ),
  yaml(plan, "8 MB of ]", () => fill("]", 8), /line 1: is not valid YAML: end of the stream/),
  rows("csv", "40,000 columns and a million short lines", fillWithColumns, /more than 1,000 columns\. Remove/),
  rows("json", "an object of a million fields", fillWithFields, /more than 100,000 items; split it/),
  yaml(
    check,
    "2 million websites",
    () => `${head}${fill("- a\n", 8)}`,
    /line 100003: is past the limit of 100,000 websites/,
  ),
  rows("ndjson", "2 million lines", () => fill("{}\n", 6), /more than 100,000 websites\. Split/),
  rows("txt", "20 MB of blank lines", () => fill("\n", 20), /more than 4,000,000 values\. Split/),
  yaml(check, "one website of 500,000 fields", fillWithKeys, /line \d+: is past the limit of 225,000 values outside/),
  yaml(check, "50,000 anchors", () => head + numbered(50_000, (at) => `- &a${at} a${at}.example\n`), /10,000 anchors/),
  yaml(check, "aliases of aliases", fillWithLaughs, /line 14: is not a website; write a domain/),
  yaml(
    check,
    "80,000 bad websites",
    () => head + numbered(80_000, (at) => `- {domain: a, f${at}: 1}\n`),
    /line \d+: is the last/,
  ),
  yaml(
    plan,
    "an API key as a password",
    () => `${head}- {domain: a.example, password_env: SITEWARD_API_KEY}`,
    /line 3: a.*setting/,
  ),
  rows("csv", "a line of 4 MB of commas", () => `domain\n${fill(",", 3.9)}`, /more than 100000 characters/),
  yaml(
    check,
    "100,000 sections",
    () => `version: 1\n${numbered(100_000, (at) => `a${at}: 1\n`)}`,
    /line 10001: is past the limit of 10,000 fields/,
  ),
  rows("csv", "a quote that is not closed", () => `domain\n"${fill("a\n", 6)}`, /A quote that is opened in line 2 of/),
  rows(
    "json",
    "4 million empty objects",
    () => `[${fill("{},", 12)}{}]`,
    /more than 100,000 items; split it|4,000,000 values/,
  ),
  rows("json", "33 MiB", () => fill(" ", 35), /is larger than 32 MiB\. Split/),
  {
    ...rows("json", "a body of 8 MB of [", () => fill("[", 8), /larger than 1 MiB/),
    command: ["api", "POST", "websites", "--input"],
  },
];

function yaml(command: readonly string[], name: string, text: () => string, expected: RegExp): HostileFile {
  return { name: `${name} in YAML`, command, extension: "yaml", text, expected };
}

function rows(extension: string, name: string, text: () => string, expected: RegExp): HostileFile {
  return { name: `${name} in ${extension}`, command: dryRun, extension, text, expected };
}

function fill(part: string, megabytes: number): string {
  return part.repeat(Math.ceil((megabytes * megabyte) / part.length));
}

function fillWithAliases(): string {
  const websites = numbered(30_000, (index) => `- {domain: a${index}.example, exclude_ips: *office}\n`);
  return `x-office: &office [${addresses(499)}]\n${head}${websites}`;
}

function fillWithColumns(): string {
  return `domain${numbered(40_000, (index) => `,c${index}`).slice(0, 90_000)}\n${"a\n".repeat(90_000)}`;
}

function fillWithUnknown(): string {
  const fields = numbered(99, (at) => `,"f${at}":1`);
  return numbered(27_000, (at) => `{"domain":"a${at}.example"${fields}}\n`);
}

function fillBrackets(item: string, count: number): string {
  return `version: 1\nwebsites: [${item.repeat(count)}a]`;
}

function fillWithFields(): string {
  return `[{${numbered(1_000_000, (index) => `"k${index}":1,`)}"domain":"a.example"}]`;
}

function fillWithKeys(): string {
  return `${head}- domain: a.example\n${numbered(500_000, (index) => `  k${index}: 1\n`)}`;
}

function fillWithLaughs(): string {
  const items = (level: number): string =>
    level === 0
      ? "a"
      : Array<string>(10)
          .fill(`*l${level - 1}`)
          .join(", ");
  return `version: 1\n${numbered(12, (level) => `x-${level}: &l${level} [${items(level)}]\n`)}websites: *l11`;
}
