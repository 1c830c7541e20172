import { fill, fillWith, maxBytes } from "./fill.ts";

const depth = maxBytes / 2 - 100;
const nested = "[".repeat(depth) + "]".repeat(depth);

/** Forms that attack fields other than lists: their names, their escapes, and values that nearly are valid. */
export const expensiveForms: readonly string[] = [
  ...[fill((index) => `${index.toString(36)}&`), fill((index) => `${(index * 7919) % 999_983}&`)],
  ...[fill((index) => `${"a".repeat(600)}${index}&`), fill((index) => `exclude_ips=${index.toString(36)}&`)],
  ...[fill((index) => `a[${index.toString(36)}]&`), fill((index) => `${index.toString(36)}=+&`)],
  ...[fill((index) => `%61${(index % 999).toString(36)}&`), fill((index) => `${index.toString(36)}=%20&`)],
  ...["a", "%00", "password=1&", "a=1&", "__proto__=1&", "domain=a.example&", "=&", "&", "[]", "+=+&"].map((piece) =>
    fillWith(piece),
  ),
  ...["%", "%41", "%F0%9F%A6%8A", "+", "+a", "a", ".", "a."].map((piece) => `domain=${fillWith(piece)}`),
  `domain=${fillWith("%41")}%f`,
  `domain=a.example&privacy=${fillWith("1")}`,
  ...["0", ":00", "1.", "1:", ":", "*.", ",", "\n", "+", "+,"].map(
    (piece) => `domain=a.example&exclude_ips=${fillWith(piece)}`,
  ),
  `domain=a.example&exclude_params=${fill((index) => `${index}`)}`,
];

const domains = [
  ...[":", ":1", "1:", "/", "ü"].map((piece) => fillWith(piece)),
  ...[`${fillWith("a@")}a.example`, `${fillWith("*.")}a.example`, `https://a.example/${fillWith("?#")}`],
  ...[`https://${han(990)}/`, `a${fillWith(" ")}a`, han(999), "漢字.".repeat(333), `xn--${"a9".repeat(497)}`],
  ...[`a${"\u0315\u0300\u05aeb".repeat(249)}`, "\ufdfa".repeat(999)],
];
const passwords = [
  ...["🦊".repeat(256), "🦊".repeat(257), fillWith("🦊"), fillWith("a"), fillWith("\u0315\u0300\u05ae")],
];

/** JSON that attacks fields other than lists: passwords, domains, names, strings, spaces and nesting. */
export const expensiveDocuments: readonly string[] = [
  ...domains.map((domain) => JSON.stringify({ domain })),
  ...passwords.map((password) => JSON.stringify({ domain: "a.example", privacy: 2, password })),
  JSON.stringify({ privacy: fillWith('"', maxBytes / 2 - 100) }),
  JSON.stringify({ exclude_params: fillWith("🦊") }),
  JSON.stringify({ exclude_ips: fillWith("/") }),
  `{"password":"${fillWith("\\ud83e")}"}`,
  ...["\\n", "\\u0041", "\\\\", '\\"'].map((piece) => `{"domain":"${fillWith(piece)}"}`),
  ...[`{"${fillWith("a")}":0}`, `{"domain"${fillWith(" ")}:"a"}`, `${fillWith(" ")}{"domain":"a"}`],
  ...[`{"domain":"${fillWith("a")}`, `"${fillWith("a")}"`, "null", `{"privacy":${fillWith("1")}}`],
  ...[`[${fillWith('"",')}""]`, `[${fillWith('""    ,')}""]`, `[${fillWith('{"a":0},')}{}]`],
  `{${fill((index) => `"${index.toString(36)}":0,`)}"z":0}`,
  `{${fill((index) => `"\\u0061${index}":0,`)}"z":0}`,
  `{"privacy":{${fill((index) => `"${index.toString(36)}":0,`)}"z":0}}`,
  `{"a":[${fill((index) => `{"${index.toString(36)}":0},`)}0]}`,
  `{"constructor":0,"a":[${fillWith("[],")}0]}`,
  `{"constructor"${fillWith(" ")}:0}`,
  `{"exclude_params":[${fillWith('"__proto__",')}"a"]}`,
  ...[nested, `{"exclude_ips":${nested}}`, `{"a":${nested}}`, `{"constructor":${nested}}`],
  ...["[".repeat(maxBytes - 200), `${'{"a":'.repeat(10_000)}0${"}".repeat(10_000)}`, nestObjects()],
  `{${Array.from({ length: 58 }, (_, at) => `"${at}":[${"[],".repeat(16)}"${"a".repeat(1000)}"]`).join(",")}}`,
];

function nestObjects(): string {
  const open = fill((index) => `{"${index.toString(36)}":`, maxBytes - 9_000);
  return `${open}0${"}".repeat(open.split("{").length - 1)}`;
}

/** Different Han characters. */
function han(count: number): string {
  return Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + index * 20)).join("");
}
