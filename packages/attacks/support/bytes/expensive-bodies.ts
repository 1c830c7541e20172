import { fill, fillWith, maxBytes } from "./fill.ts";

const depth = maxBytes / 2 - 100;
const nested = "[".repeat(depth) + "]".repeat(depth);

/** Forms that attack fields other than lists: names that differ, names that do not, and values that nearly are valid. */
export const expensiveForms: readonly string[] = [
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
export const expensiveDocuments: readonly string[] = [
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
