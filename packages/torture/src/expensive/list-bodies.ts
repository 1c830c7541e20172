import { fill } from "./fill.ts";

/** List entries, by what makes them expensive. */
const ipEntries: Record<string, (index: number) => string> = {
  "short words": (index) => index.toString(36),
  numbers: (index) => `${index % 10}`,
  "IPv4 addresses": (index) => `${index >> 8}.${index & 255}`,
  "IPv4 networks in other spellings": (index) => `1.${(index % 500) >> 8}.${index % 256}.${index % 97}/24`,
  "IPv6 networks": (index) => `2001:db8:1:2:3:4:${(index >> 8).toString(16)}:${index.toString(16)}/127`,
  "mapped IPv6 networks": (index) => `::ffff:1.${(index >> 8) & 255}.${index & 255}.9/127`,
  "spellings of one network": (index) => `::ffff:${index.toString(16)}:0/96`,
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
  const names = ["full IPv6 networks", "mapped IPv6 networks", "octets over 255", "long words"];
  const kinds: ((index: number) => string)[] = [
    (index) => `2001:db8:1:2:3:4:${index}:1/127`,
    (index) => `::ffff:10.0.${index % 256}.${index >> 8}/127`,
    (index) => `1.2.3.${index + 256}`,
    (index) => `${"1:".repeat(55)}${index}`,
  ];
  return kinds.map((entry, kind) => [
    `exclude_ips: 500 ${names[kind]}`,
    JSON.stringify({ domain: "a.example", exclude_ips: Array.from({ length: 500 }, (_, index) => entry(index)) }),
  ]);
}

/** Builds arrays of values that are not strings. */
function wrong(): [string, string][] {
  const items = { numbers: "1", nulls: "null", arrays: "[]", objects: "{}", "empty strings": '""' };
  return Object.entries(items).map(([name, item]) => [
    `exclude_ips: an array of ${name}`,
    `{"domain":"a.example","exclude_ips":[${fill(() => `${item},`)}${item}]}`,
  ]);
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
