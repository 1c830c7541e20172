import { createWebsiteBody } from "@siteward/contract";
import { fill, fillWith, maxBytes } from "./fill.ts";
import { bytesOf, create, form, get, json, keyed, update, websites } from "./raw-requests.ts";

const depth = maxBytes / 2 - 100;
const nested = "[".repeat(depth) + "]".repeat(depth);

/** Forms that attack fields other than lists: names that differ, names that do not, and values that nearly are valid. */
const expensiveForms: readonly string[] = [
  ...[fill((index) => `${index.toString(36)}&`), fill((index) => `${"a".repeat(600)}${index}&`)],
  ...[fill((index) => `a[${index.toString(36)}]&`), fill((index) => `%61${(index % 999).toString(36)}&`)],
  ...["a", "password=1&", "__proto__=1&", "&", "[]"].map((piece) => fillWith(piece)),
  ...["%41", "%F0%9F%A6%8A", "+a", "a."].map((piece) => `domain=${fillWith(piece)}`),
  `domain=a.example&privacy=${fillWith("1")}`,
  ...["0", "1:", "*.", "+,"].map((piece) => `domain=a.example&exclude_ips=${fillWith(piece)}`),
  `domain=a.example&exclude_params=${fill((index) => `${index}`)}`,
];

const domains = [
  ...[fillWith(":"), fillWith("ü"), `${fillWith("a@")}a.example`, `https://a.example/${fillWith("?#")}`],
  ...[han(999), "漢字.".repeat(333), `xn--${"a9".repeat(497)}`, "\ufdfa".repeat(999)],
];
const passwords = ["🦊".repeat(256), fillWith("a"), fillWith("\u0315\u0300\u05ae")];

/** JSON that attacks fields other than lists: passwords, domains, names, strings, spaces and nesting. */
const expensiveDocuments: readonly string[] = [
  ...domains.map((domain) => JSON.stringify({ domain })),
  ...passwords.map((password) => JSON.stringify({ domain: "a.example", privacy: 2, password })),
  JSON.stringify({ exclude_params: fillWith("🦊") }),
  ...["\\u0041", "\\\\", '\\"'].map((piece) => `{"domain":"${fillWith(piece)}"}`),
  ...[`{"${fillWith("a")}":0}`, `{"domain"${fillWith(" ")}:"a"}`, `{"domain":"${fillWith("a")}`],
  ...[`"${fillWith("a")}"`, `{"privacy":${fillWith("1")}}`, `[${fillWith('{"a":0},')}{}]`],
  `{${fill((index) => `"\\u0061${index}":0,`)}"z":0}`,
  `{"privacy":{${fill((index) => `"${index.toString(36)}":0,`)}"z":0}}`,
  `{"constructor":0,"a":[${fillWith("[],")}0]}`,
  `{"exclude_params":[${fillWith('"__proto__",')}"a"]}`,
  ...[nested, `{"exclude_ips":${nested}}`, "[".repeat(maxBytes - 200), nestObjects()],
];

function nestObjects(): string {
  const open = fill((index) => `{"${index.toString(36)}":`, maxBytes - 9_000);
  return `${open}0${"}".repeat(open.split("{").length - 1)}`;
}

/** Different Han characters. */
function han(count: number): string {
  return Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + index * 20)).join("");
}

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
const names = Object.keys(createWebsiteBody.shape);

/** Lists far past their limit in every form of a list, lists of the maximum length, and arrays of what is no string. */
const expensiveLists = {
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
    `{${names.map((name) => `"${name}":${numbers(names.length)}`).join(",")}}`,
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

/** Node accepts headers of 16 KiB, including the target. */
const maxQueryBytes = 15 * 1024;

/** With it, the server also computes a checksum of the fields. */
const idempotencyKey = "Idempotency-Key: expensive";

const queries = [
  ...[fill((index) => `${index.toString(36)}&`, maxQueryBytes), `search=${"%E6%BC%A2".repeat(253)}`],
  ...[`search=${fill(() => "%20", maxQueryBytes)}`, `cursor=${fill(() => "A", maxQueryBytes)}`],
];

/** The requests that cost the server the most work, as bytes. `{key}` stands for an API key. */
export const expensiveRequests: readonly string[] = [
  ...[...expensiveLists.forms, ...expensiveForms].flatMap((body) => writes(form, body)),
  ...[...expensiveLists.documents, ...expensiveDocuments].flatMap((body) => writes(json, body)),
  ...queries.map((query) => get(`${websites}?${query}`, keyed)),
];

/** A create and an update. No website has the ID, which the server looks up after it has validated the body. */
function writes(type: string, body: string): string[] {
  return [create(type, bytesOf(body), idempotencyKey), update(`${websites}/999`, type, bytesOf(body))];
}
