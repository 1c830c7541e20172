import { createWebsiteBody } from "@siteward/contract";
import { fill, maxBytes } from "./fill.ts";

/** List entries, by what makes them expensive. */
const ipEntries: Record<string, (index: number) => string> = {
  "short words": (index) => index.toString(36),
  numbers: (index) => `${index % 10}`,
  "IPv4 addresses": (index) => `${index >> 8}.${index & 255}`,
  "IPv4 networks in other spellings": (index) => `1.${(index % 500) >> 8}.${index % 256}.${index % 97}/24`,
  "IPv6 networks": (index) => `2001:db8:1:2:3:4:${(index >> 8).toString(16)}:${index.toString(16)}/127`,
  "mapped IPv6 networks": (index) => `::ffff:1.${(index >> 8) & 255}.${index & 255}.9/127`,
  "spellings of one network": (index) => `::ffff:${index.toString(16)}:0/96`,
  "addresses and words in turn": (index) => (index % 2 === 0 ? `1.2.${index >> 8}.${index & 255}` : `x${index}`),
  "500 addresses, repeated": (index) => `1.2.${(index % 500) >> 8}.${index % 256}`,
  colons: () => ":",
  stars: () => "*.",
  emoji: () => "🦊",
};
const parameterEntries: Record<string, (index: number) => string> = {
  "short names": (index) => index.toString(36),
  "refused names": (index) => `${index.toString(36)}=`,
  "names of 128 emoji": (index) => "🦊".repeat(125) + index,
};

/** Builds lists far past their limit, in every form of a list: in forms and in JSON. */
export function listForms(): Record<string, string> {
  return Object.fromEntries(
    entries().flatMap(([field, name, entry]) => [
      [
        `${field}: ${name}, comma-separated`,
        `domain=a.example&${field}=${fill((index) => `${encode(entry(index))},`)}`,
      ],
      [`${field}: ${name}, on lines`, `domain=a.example&${field}=${fill((index) => `${encode(entry(index))}\n`)}`],
      [`${field}: ${name}, repeated`, `domain=a.example&${fill((index) => `${field}[]=${encode(entry(index))}&`)}`],
    ]),
  );
}

export function listDocuments(): Record<string, string> {
  const lists = entries().map(([field, name, entry]) => [
    `${field}: ${name}, in an array`,
    `{"domain":"a.example","${field}":[${fill((index) => `${JSON.stringify(entry(index))},`)}""]}`,
  ]);
  return Object.fromEntries([...lists, ...full(), ...wrong()]);
}

/** Builds lists of the maximum length with the most expensive entries. */
function full(): [string, string][] {
  const kinds: Readonly<Record<string, (index: number) => string>> = {
    "full IPv6 networks": (index) => `2001:db8:1:2:3:4:${index}:1/127`,
    "mapped IPv6 networks": (index) => `::ffff:10.0.${index % 256}.${index >> 8}/127`,
    "mapped addresses in hexadecimal": (index) => `0:0:0:0:0:ffff:${index}:1`,
    "networks of nine groups": (index) => `1:2:3:4:5:6:7:8:${index}/99`,
    "octets over 255": (index) => `1.2.3.${index + 256}`,
    words: (index) => `x${index}`,
    "long words": (index) => `${"1:".repeat(55)}${index}`,
  };
  const lists = Object.entries(kinds).map(([name, entry]): [string, string] => [
    `exclude_ips: 500 ${name}`,
    JSON.stringify({ domain: "a.example", exclude_ips: Array.from({ length: 500 }, (_, index) => entry(index)) }),
  ]);
  const names = Array.from({ length: 100 }, (_, index) => `${"🦊".repeat(125)}${index}`);
  const parameters = JSON.stringify({ domain: "a.example", exclude_params: names });
  return [...lists, ["exclude_params: 100 names of emoji", parameters]];
}

/** Builds arrays of values that are not strings. */
function wrong(): [string, string][] {
  const items = { numbers: "1", nulls: "null", arrays: "[]", objects: "{}", "empty strings": '""' };
  const arrays = Object.entries(items).map(([name, item]): [string, string] => [
    `exclude_ips: an array of ${name}`,
    `{"domain":"a.example","exclude_ips":[${fill(() => `${item},`)}${item}]}`,
  ]);
  return [
    ...arrays,
    ["exclude_ips: a number behind strings", `{"exclude_ips":[${fill(() => '"1",')}1]}`],
    ["both lists of numbers", `{"exclude_ips":${numbers(2)},"exclude_params":${numbers(2)}}`],
    ["every field a list of numbers", `{${fields.map((name) => `"${name}":${numbers(fields.length)}`).join(",")}}`],
  ];
}

const fields = Object.keys(createWebsiteBody.shape);

/** Builds an array for a body that has several as long as this one. */
function numbers(count: number): string {
  return `[${fill(() => "1,", maxBytes / count - 50)}1]`;
}

function entries(): [field: string, name: string, entry: (index: number) => string][] {
  const lists = { exclude_ips: ipEntries, exclude_params: parameterEntries };
  return Object.entries(lists).flatMap(([field, kinds]) =>
    Object.entries(kinds).map(([name, entry]): [string, string, (index: number) => string] => [field, name, entry]),
  );
}

function encode(text: string): string {
  return text.replaceAll("=", "%3D").replaceAll("&", "%26");
}
