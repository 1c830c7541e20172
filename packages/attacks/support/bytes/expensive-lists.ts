import { createWebsiteBody } from "@siteward/contract";
import { fill, fillWith, maxBytes } from "./fill.ts";

type Entry = (index: number) => string;

/** List entries of IP addresses and of what nearly is one. */
const addresses: readonly Entry[] = [
  (index) => index.toString(36),
  (index) => `1.${(index % 500) >> 8}.${index % 256}.${index % 97}/24`,
  (index) => `2001:db8:1:2:3:4:${(index >> 8).toString(16)}:${index.toString(16)}/127`,
  // Spellings of one network, and 500 addresses that are repeated.
  (index) => `::ffff:${index.toString(16)}:0/96`,
  (index) => `1.2.${(index % 500) >> 8}.${index % 256}`,
  (index) => (index % 2 === 0 ? `1.2.${index >> 8}.${index & 255}` : `x${index}`),
  ...[() => ":", () => "*.", () => "🦊"],
];
const parameters: readonly Entry[] = [
  (index) => index.toString(36),
  (index) => `${index.toString(36)}=`,
  (index) => "🦊".repeat(125) + index,
];

/** The most expensive entries of a list that is not too long. */
const longest: readonly Entry[] = [
  (index) => `2001:db8:1:2:3:4:${index}:1/127`,
  (index) => `::ffff:10.0.${index % 256}.${index >> 8}/127`,
  (index) => `1:2:3:4:5:6:7:8:${index}/99`,
  (index) => `${"1:".repeat(55)}${index}`,
];

const lists = [
  ...addresses.map((entry) => ["exclude_ips", entry] as const),
  ...parameters.map((entry) => ["exclude_params", entry] as const),
];
const fields = Object.keys(createWebsiteBody.shape);

/** Lists far past their limit in every form of a list, lists of the maximum length, and arrays of what is no string. */
export const expensiveLists = {
  forms: lists.flatMap(([field, entry]) => [
    `domain=a.example&${field}=${fill((index) => `${encode(entry(index))},`)}`,
    `domain=a.example&${field}=${fill((index) => `${encode(entry(index))}\n`)}`,
    `domain=a.example&${fill((index) => `${field}[]=${encode(entry(index))}&`)}`,
  ]),
  documents: [
    ...lists.map(
      ([field, entry]) =>
        `{"domain":"a.example","${field}":[${fill((index) => `${JSON.stringify(entry(index))},`)}""]}`,
    ),
    ...longest.map((entry) => JSON.stringify({ domain: "a.example", exclude_ips: listOf(500, entry) })),
    JSON.stringify({ domain: "a.example", exclude_params: listOf(100, (index) => `${"🦊".repeat(125)}${index}`) }),
    ...["1", "null", "[]", "{}", '""'].map((item) => `{"exclude_ips":[${fillWith(`${item},`)}${item}]}`),
    `{"exclude_ips":[${fillWith('"1",')}1]}`,
    `{"exclude_ips":${numbers(2)},"exclude_params":${numbers(2)}}`,
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
