import { fill, maxBytes } from "./fill.ts";

const depth = maxBytes / 2 - 100;

/** Forms that attack fields other than lists. */
export const otherForms: Record<string, string> = {
  "unknown fields in a form": fill((index) => `${index.toString(36)}&`),
  "sparse numbers as names in a form": fill((index) => `${(index * 7919) % 999_983}&`),
  "one name of 64 KiB": fill(() => "a"),
  "100 names of 600 bytes": fill((index) => `${"a".repeat(600)}${index}&`),
  "one name of escapes": fill(() => "%00"),
  "a field repeated in a form": fill(() => "password=1&"),
  "an unknown field repeated": fill(() => "a=1&"),
  "a list repeated without brackets": fill((index) => `exclude_ips=${index.toString(36)}&`),
  "__proto__ repeated": fill(() => "__proto__=1&"),
  "a known field repeated": fill(() => "domain=a.example&"),
  "an empty name repeated": fill(() => "=&"),
  ampersands: fill(() => "&"),
  "equals signs": fill(() => "="),
  brackets: fill(() => "[]"),
  "names with brackets": fill((index) => `a[${index.toString(36)}]&`),
  "percent signs": `domain=${fill(() => "%")}`,
  escapes: `domain=${fill(() => "%41")}`,
  "escapes of four bytes": `domain=${fill(() => "%F0%9F%A6%8A")}`,
  "a broken escape at the end": `domain=${fill(() => "%41")}%f`,
  "plus signs": `domain=${fill(() => "+")}`,
  "plus signs in short names and values": fill(() => "+=+&"),
  "plus signs and letters": `domain=${fill(() => "+a")}`,
  "many values with plus signs": fill((index) => `${index.toString(36)}=+&`),
  "1000 fields, each repeated": fill((index) => `%61${(index % 999).toString(36)}&`),
  "many values with escapes": fill((index) => `${index.toString(36)}=%20&`),
  "a domain of letters": `domain=${fill(() => "a")}`,
  "a domain of dots": `domain=${fill(() => ".")}`,
  "a domain of labels": `domain=${fill(() => "a.")}`,
  "a privacy of 64 KiB of digits": `domain=a.example&privacy=${fill(() => "1")}`,
  "a privacy that is repeated": fill(() => "privacy=1&"),
  "an entry of 64 KiB of zeros": `domain=a.example&exclude_ips=${fill(() => "0")}`,
  "an entry that nearly has leading zeros": `domain=a.example&exclude_ips=${fill(() => ":00")}`,
  "an entry that is nearly IPv4": `domain=a.example&exclude_ips=${fill(() => "1.")}`,
  "an entry that is nearly IPv6": `domain=a.example&exclude_ips=${fill(() => "1:")}`,
  "an entry of colons": `domain=a.example&exclude_ips=${fill(() => ":")}`,
  "an entry of stars": `domain=a.example&exclude_ips=${fill(() => "*.")}`,
  "a parameter of 64 KiB": `domain=a.example&exclude_params=${fill((index) => `${index}`)}`,
  "commas alone": `domain=a.example&exclude_ips=${fill(() => ",")}`,
  "only newlines": `domain=a.example&exclude_ips=${fill(() => "\n")}`,
  "only spaces": `domain=a.example&exclude_ips=${fill(() => "+")}`,
  "spaces and commas in turn": `domain=a.example&exclude_ips=${fill(() => "+,")}`,
};

/** JSON that attacks fields other than lists. */
export const otherDocuments: Record<string, string> = {
  "a password of 256 emoji": document({ domain: "a.example", privacy: 2, password: "🦊".repeat(256) }),
  "a password of 257 emoji": document({ domain: "a.example", privacy: 2, password: "🦊".repeat(257) }),
  "a password of 64 KiB of emoji": document({ domain: "a.example", privacy: 2, password: fill(() => "🦊") }),
  "a password of 64 KiB of letters": document({ domain: "a.example", privacy: 2, password: fill(() => "a") }),
  "a password of combining marks": document({
    domain: "a.example",
    privacy: 2,
    password: fill(() => "\u0315\u0300\u05ae"),
  }),
  "a password of halves of surrogate pairs": `{"password":"${fill(() => "\\ud83e")}"}`,
  "a domain of colons": document({ domain: fill(() => ":") }),
  "a domain of colons and digits": document({ domain: fill(() => ":1") }),
  "a domain that is nearly IPv6": document({ domain: fill(() => "1:") }),
  "a domain of slashes": document({ domain: fill(() => "/") }),
  "a domain of user information": document({ domain: `${fill(() => "a@")}a.example` }),
  "a domain of wildcards": document({ domain: `${fill(() => "*.")}a.example` }),
  "a domain that is a URL": document({ domain: `https://a.example/${fill(() => "?#")}` }),
  "a domain that is a URL of Han characters": document({ domain: `https://${han(990)}/` }),
  "a domain of spaces": document({ domain: `a${fill(() => " ")}a` }),
  "a domain of umlauts": document({ domain: fill(() => "ü") }),
  "a domain of Han characters": document({ domain: han(999) }),
  "a domain of labels of Han characters": document({ domain: "漢字.".repeat(333) }),
  "a domain of Punycode": document({ domain: `xn--${"a9".repeat(497)}` }),
  "a domain of combining marks": document({ domain: `a${"\u0315\u0300\u05aeb".repeat(249)}` }),
  "a domain of characters that map to many": document({ domain: "\ufdfa".repeat(999) }),
  "a privacy of quotes": document({ privacy: fill(() => '"', maxBytes / 2 - 100) }),
  "a parameter of emoji": document({ exclude_params: fill(() => "🦊") }),
  "one name of 64 KiB in JSON": `{"${fill(() => "a")}":0}`,
  "unknown fields in JSON": `{${fill((index) => `"${index.toString(36)}":0,`)}"z":0}`,
  "numbers as names in JSON": `{${fill((index) => `"${index}":0,`)}"a":0}`,
  "names with escapes": `{${fill((index) => `"\\u0061${index}":0,`)}"z":0}`,
  "a repeated name after many others": `{${fill((index) => `"${index.toString(36)}":0,`)}"0":0}`,
  "line ends in a string": `{"domain":"${fill(() => "\\n")}"}`,
  "escapes in a string": `{"domain":"${fill(() => "\\u0041")}"}`,
  "backslashes in a string": `{"domain":"${fill(() => "\\\\")}"}`,
  "quotes in a string": `{"domain":"${fill(() => '\\"')}"}`,
  "spaces before a colon": `{"domain"${fill(() => " ")}:"a"}`,
  "spaces before the fields": `${fill(() => " ")}{"domain":"a"}`,
  "strings in an array": `[${fill(() => '"",')}""]`,
  "strings and spaces in an array": `[${fill(() => '""    ,')}""]`,
  "JSON cut short": `{"domain":"${fill(() => "a")}`,
  "a constructor next to many arrays": `{"constructor":0,"a":[${fill(() => "[],")}0]}`,
  "a constructor before spaces": `{"constructor"${fill(() => " ")}:0}`,
  "__proto__ as values": `{"exclude_params":[${fill(() => '"__proto__",')}"a"]}`,
  "nested arrays": "[".repeat(depth) + "]".repeat(depth),
  "nested arrays in a field": `{"exclude_ips":${"[".repeat(depth)}${"]".repeat(depth)}}`,
  "nested arrays in an unknown field": `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`,
  "nested arrays next to a constructor": `{"constructor":${"[".repeat(depth)}${"]".repeat(depth)}}`,
  "nested arrays cut short": "[".repeat(maxBytes - 200),
  "nested objects": `${'{"a":'.repeat(10_000)}0${"}".repeat(10_000)}`,
  "nested objects with different names": nestObjects(),
  "different names in an inner object": `{"privacy":{${fill((index) => `"${index.toString(36)}":0,`)}"z":0}}`,
  "objects with different names": `{"a":[${fill((index) => `{"${index.toString(36)}":0},`)}0]}`,
  "1000 arrays of arrays": `{${Array.from({ length: 58 }, (_, index) => `"${index}":[${"[],".repeat(16)}"${"a".repeat(1000)}"]`).join(",")}}`,
  "an IP address of slashes": document({ exclude_ips: fill(() => "/") }),
  "many small objects": `[${fill(() => '{"a":0},')}{}]`,
  "a string instead of fields": `"${fill(() => "a")}"`,
  "null instead of fields": "null",
  "a number of 64 KiB": `{"privacy":${fill(() => "1")}}`,
};

function document(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(fields);
}

function nestObjects(): string {
  const open = fill((index) => `{"${index.toString(36)}":`, maxBytes - 9_000);
  return `${open}0${"}".repeat(open.split("{").length - 1)}`;
}

function han(count: number): string {
  return Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + index * 20)).join("");
}
