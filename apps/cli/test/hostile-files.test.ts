import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiKeySecretLength, formatApiKey } from "@siteward/contract/api-key";
import { afterAll, beforeAll, expect, test } from "vitest";
import { measureCli } from "./support/measure-cli.ts";

/** A file of a stranger, and what the CLI says of it: what is wrong, and where or what to do. */
type HostileFile = readonly [command: readonly string[], extension: string, text: () => string, expected: RegExp];

const plan = ["plan"];
const check = ["check", "--output", "table"];
const csv = ["import", "--dry-run", "--output", "table", "--format", "csv"];
const json = [...csv.slice(0, -1), "json"];
const ndjson = [...csv.slice(0, -1), "ndjson"];
const head = "version: 1\nwebsites:\n";

/** The worst that were found: 8 MB of `[` took 68 s and 4.2 GB. Each is a few megabytes, which a pull request can contain. */
const hostileFiles: Readonly<Record<string, HostileFile>> = {
  "8 MB of [": [plan, "yaml", () => fill("[", 8), /line 1: has lists or mappings that are nested more than 32/],
  "2 MB of {a:": [plan, "yaml", () => fill("{a: ", 2), /line 1: has lists or mappings that are nested more than 32/],
  "8 MB of ]": [plan, "yaml", () => fill("]", 8), /line 1: is not valid YAML: end of the stream/],
  "30,000 aliases of a long list": [
    check,
    "yaml",
    () =>
      `x-office: &office [${addresses(499)}]\n` +
      head +
      numbered(30_000, (at) => `- {domain: a${at}.example, exclude_ips: *office}\n`),
    /line 20\d\d: has an alias past the limit of 1,000,000/,
  ],
  "aliases of aliases": [check, "yaml", laugh, /line 14: is not a website; write a domain/],
  "50,000 anchors": [
    check,
    "yaml",
    () => head + numbered(50_000, (at) => `- &a${at} a${at}.example\n`),
    /10,000 anchors/,
  ],
  "100,000 passwords that protect nothing": [
    check,
    "yaml",
    () => head + numbered(100_000, (at) => `- {domain: a${at}.example, password_env: A}\n`),
    /line 3: a0\.example: password_env protects nothing[\s\S]*line 1002: is the last line that was read/,
  ],
  "220,000 domains in brackets": [
    check,
    "yaml",
    () => `version: 1\nwebsites: [${"a.co,".repeat(220_000)}a]`,
    /line 2: is past the limit of 100,000/,
  ],
  "one website of 500,000 fields": [
    check,
    "yaml",
    () => `${head}- domain: a.example\n${numbered(500_000, (at) => `  k${at}: 1\n`)}`,
    /line \d+: is past the limit of 225,000 values outside/,
  ],
  "300 lists that contain all lists above them": [
    check,
    "yaml",
    () => shared(300, (at) => `10.0.0.1, ${names("a", at)}`, "@a299"),
    /line \d+: list a\d+ is nested more than 32 deep/,
  ],
  "a string with 200,000 names of a list": [
    check,
    "yaml",
    () => shared(1, () => "10.0.0.1", "@a0,".repeat(200_000)),
    /line 5: names lists among more than 10,000 entries/,
  ],
  "3 million lines": [csv, "csv", () => `domain\n${"a.co\n".repeat(3_000_000)}`, /more than 100,000 websites\. Split/],
  "3,900 lines with 1,000 unknown columns": [
    csv,
    "csv",
    () => `domain${numbered(999, (at) => `,c${at}`)}\n${`a.example${",x".repeat(999)}\n`.repeat(3_900)}`,
    /These columns are unknown:/,
  ],
  "a quote that is not closed": [csv, "csv", () => `domain\n"${fill("a\n", 6)}`, /A quote that is opened in line 2 of/],
  "27,000 lines with 100 unknown fields": [
    ndjson,
    "ndjson",
    () => `{"domain":"a.example"${numbered(99, (at) => `,"f${at}":1`)}}\n`.repeat(27_000),
    /line 1: a\.example: "f0" is unknown/,
  ],
  "8 MB of [ in JSON": [json, "json", () => fill("[", 8), /nested more than 100 deep/],
  "an object of a million fields": [
    json,
    "json",
    () => `[{${numbered(1_000_000, (at) => `"k${at}":1,`)}"domain":"a.example"}]`,
    /more than 100,000 items; split it/,
  ],
  "33 MiB": [json, "json", () => fill(" ", 35), /is larger than 32 MiB\. Split/],
};

const maxPeakBytes = 150e6;
/** Twice the promise, because machines differ. Measured values are up to 430 ms. */
const maxCpuMs = 2_000;
/** An import needs a key before it says what is wrong with each line. */
const anyKey = formatApiKey("A".repeat(apiKeySecretLength));

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "siteward-hostile-"));
});
afterAll(() => rm(folder, { recursive: true }));

test.for(Object.entries(hostileFiles))(
  "is refused in a second, with 150 MB of memory: %s",
  async ([, [command, extension, write, expected]]) => {
    const path = join(folder, `siteward.${extension}`);
    await writeFile(path, write());
    // Nothing listens there. A file must be refused before anything is sent.
    const env = { SITEWARD_CONFIG_DIR: folder, SITEWARD_BASE_URL: "http://127.0.0.1:9", SITEWARD_API_KEY: anyKey };
    const [name = "", ...options] = command;
    // Rows are also read from a pipe.
    const source = name === "import" ? "-" : path;
    const { exitCode, output, peakBytes, cpuMs } = await measureCli([name, source, ...options], env, path);
    expect(output).toMatch(expected);
    expect(exitCode).toBe(2);
    expect(peakBytes).toBeLessThan(maxPeakBytes);
    expect(cpuMs).toBeLessThan(maxCpuMs);
  },
);

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

function names(prefix: string, count: number): string {
  return numbered(count, (at) => `"@${prefix}${at}", `);
}

/** Different addresses, each followed by a comma. */
function addresses(count: number): string {
  return numbered(count, (at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}, `);
}

function numbered(count: number, render: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => render(index)).join("");
}
