import { createWebsiteBody } from "@siteward/contract";
import { fill, fillWith, maxBytes } from "./fill.ts";

type Entry = (index: number) => string;

/** List entries of IP addresses and of what nearly is one, and names. */
const entries: ReadonlyArray<readonly [field: string, entry: Entry]> = [
  ["exclude_ips", (index) => index.toString(36)],
  ["exclude_ips", (index) => `1.${(index % 500) >> 8}.${index % 256}.${index % 97}/24`],
  // Spellings of one network.
  ["exclude_ips", (index) => `::ffff:${index.toString(16)}:0/96`],
  ["exclude_params", (index) => index.toString(36)],
  ["exclude_params", (index) => "🦊".repeat(125) + index],
];

/** The most expensive entries of a list that is not too long. */
const longest: readonly Entry[] = [
  (index) => `2001:db8:1:2:3:4:${index}:1/127`,
  (index) => `${"1:".repeat(55)}${index}`,
];
const fields = Object.keys(createWebsiteBody.shape);

/** Lists far past their limit in every form of a list, lists of the maximum length, and arrays of what is no string. */
export const expensiveLists = {
  forms: entries.flatMap(([field, entry]) => [
    `domain=a.example&${field}=${fill((index) => `${encode(entry(index))},`)}`,
    `domain=a.example&${fill((index) => `${field}[]=${encode(entry(index))}&`)}`,
  ]),
  documents: [
    ...entries.map(
      ([field, entry]) =>
        `{"domain":"a.example","${field}":[${fill((index) => `${JSON.stringify(entry(index))},`)}""]}`,
    ),
    ...longest.map((entry) => JSON.stringify({ domain: "a.example", exclude_ips: listOf(500, entry) })),
    JSON.stringify({ domain: "a.example", exclude_params: listOf(100, (index) => `${"🦊".repeat(125)}${index}`) }),
    ...["1", "[]", '""'].map((item) => `{"exclude_ips":[${fillWith(`${item},`)}${item}]}`),
    `{${fields.map((name) => `"${name}":${numbers(fields.length)}`).join(",")}}`,
  ],
};

function listOf(count: number, entry: Entry): string[] {
  return Array.from({ length: count }, (_, index) => entry(index));
}

/** An array for a body that has several as long as this one. */
function numbers(count: number): string {
  return `[${fillWith("1,", maxBytes / count - 50)}1]`;
}

function encode(text: string): string {
  return text.replaceAll("=", "%3D").replaceAll("&", "%26");
}
