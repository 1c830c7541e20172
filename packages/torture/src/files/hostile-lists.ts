/** A text with a section of lists that the CLI must refuse, and what it says of it. */
interface HostileLists {
  readonly name: string;
  readonly text: () => string;
  readonly expected: RegExp;
}

/** Site files whose lists repeat or contain more than a file may state. */
export const hostileLists: readonly HostileLists[] = [
  {
    name: "4,000 entries next to the name of a long list",
    text: () => `lists: {a: [${addresses(499)}]}\n${websites(4_000, (at) => `["@a", 10.1.${at >> 8}.${at & 255}]`)}`,
    expected: /line 20\d\d: names lists next to other entries, past the limit of 1,000,000/,
  },
  {
    name: "300 lists that contain all lists above them",
    text: () =>
      `lists:\n${numbered(300, (at) => list(`a${at}`, `10.0.0.1, ${names("a", at)}`))}${websites(1, () => '"@a299"')}`,
    expected: /line \d+: list a\d+ is nested more than 32 deep/,
  },
  {
    name: "150 lists that contain the same 150 lists",
    text: () => {
      const inner = numbered(150, (at) => list(`b${at}`, addresses(150)));
      const outer = numbered(150, (at) => list(`a${at}`, names("b", 150)));
      return `lists:\n${inner}${outer}${websites(150, (at) => `"@a${at}"`)}`;
    },
    expected: /line \d+: names lists next to other entries, past the limit of 1,000,000/,
  },
  {
    name: "a list of 50,000 entries",
    text: () => `lists: {a: [${addresses(50_000)}]}\n${websites(1, () => '"@a"')}`,
    expected: /line 1: list a has 50000 different entries/,
  },
  {
    name: "a list of 100,000 entries",
    text: () => `lists: {a: [${addresses(100_000)}]}\n${websites(1, () => '"@a"')}`,
    expected: /line 1: is past the limit of 50,000 entries of lists/,
  },
  {
    name: "a string with 200,000 names of a list",
    text: () => `lists: {a: [10.0.0.1]}\n${websites(1, () => `"${"@a,".repeat(200_000)}"`)}`,
    expected: /line 4: names lists among more than 10,000 entries/,
  },
  {
    name: "a string with 300,000 names of a list on lines of their own",
    text: () => `lists: {a: [10.0.0.1]}\n${websites(1, () => `"${"@a\\n".repeat(300_000)}"`)}`,
    expected: /line 4: names lists among more than 10,000 entries/,
  },
  {
    name: "9,000 lists that contain lists that do not exist",
    text: () => `lists:\n${numbered(9_000, (at) => list(`a${at}`, `"@b${at}"`))}${websites(1, () => '"@a0"')}`,
    expected: /line 2: list a0 contains "@b0", which is not a list[\s\S]*line 1002: is the first line with problems/,
  },
  {
    name: "10,000 lists with problems",
    text: () =>
      `lists:\n${numbered(10_000, (at) => list(`a${at}`, "x, x, x, x"))}${websites(10_000, (at) => `"@a${at}"`)}`,
    expected:
      /line 2: list a0 \(for exclude_ips\): entry 1: "x" is not[\s\S]*line \d+: is the first line with problems/,
  },
  {
    name: "100,000 names of lists that do not exist",
    text: () => `lists: {}\n${websites(100_000, (at) => `"@l${at}"`)}`,
    expected: /line 4: a0\.example: exclude_ips contains "@l0", but the file has no lists[\s\S]*line 1003: is the last/,
  },
];

function websites(count: number, exclusion: (index: number) => string): string {
  const items = numbered(count, (at) => `- {domain: a${at}.example, exclude_ips: ${exclusion(at)}}\n`);
  return `version: 1\nwebsites:\n${items}`;
}

function list(name: string, entries: string): string {
  return `  ${name}: [${entries}]\n`;
}

function names(prefix: string, count: number): string {
  return numbered(count, (at) => `"@${prefix}${at}", `);
}

/** Returns different addresses, separated by commas. */
export function addresses(count: number): string {
  return numbered(count, (at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}, `);
}

/** Joins what is rendered for each number below the count. */
export function numbered(count: number, render: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => render(index)).join("");
}
