import { type ExpensiveBody, fill, form, json, jsonList, maxBytes, rawForm, rawJson } from "./expensive-body.ts";

/** The largest query string that Node accepts together with its other headers. */
const maxQueryBytes = 16 * 1024;

/** Bodies that cause as much work as 64 KiB can, by the part of the server that does it. */
export const expensiveBodies: Readonly<Record<string, ExpensiveBody>> = {
  ...listBodies("exclude_ips", {
    "different IPv4 addresses": (index) => `${index >> 8}.${index & 255}`,
    "refused words": (index) => `${index.toString(36)}`,
    "mapped IPv6 networks": (index) => `::ffff:1.${(index >> 8) & 255}.${index & 255}.9/127`,
    "spellings of one network": (index) => `::ffff:${index.toString(16)}:0/96`,
    "full IPv6 addresses": (index) => `2001:db8:1:2:3:4:${(index >> 8).toString(16)}:${index.toString(16)}/127`,
    "alternating addresses and words": (index) => (index % 2 === 0 ? `1.2.${index >> 8}.${index & 255}` : `x${index}`),
    "500 different addresses, repeated": (index) => `1.2.${(index % 500) >> 8}.${index % 256}`,
    "500 networks, repeated in other spellings": (index) => `1.${(index % 500) >> 8}.${index % 256}.${index % 97}/24`,
  }),
  ...listBodies("exclude_params", {
    "different names": (index) => index.toString(36),
    "refused names": (index) => `${index.toString(36)}=`,
    "names of 128 emoji": (index) => "🦊".repeat(125) + index,
  }),
  ...fullListBodies(),
  "exclude_params: one entry of 64 KiB": form({ exclude_params: fill((index) => `${index}`) }),
  "exclude_params: one entry of emoji": json({ exclude_params: fill(() => "🦊") }),
  "exclude_ips: one entry of 64 KiB": form({ exclude_ips: fill(() => "1.") }),
  "exclude_ips: one entry of colons": form({ exclude_ips: fill(() => ":") }),
  "exclude_ips: one entry of slashes": form({ exclude_ips: fill(() => "/") }),
  "exclude_ips: one entry of stars": form({ exclude_ips: fill(() => "*.") }),
  "exclude_ips: one entry of zeros": form({ exclude_ips: fill(() => "0") }),
  "exclude_ips: one entry that nearly has a leading zero": form({ exclude_ips: fill(() => ":00") }),
  "exclude_ips: commas alone": form({ exclude_ips: fill(() => ",") }),
  "exclude_ips: line ends alone": json({ exclude_ips: fill(() => "\n", maxBytes / 2 - 20) }),
  "exclude_ips: blanks alone": form({ exclude_ips: fill(() => " ") }),
  "exclude_ips: alternating spaces and commas": form({ exclude_ips: fill(() => " ,") }),
  "exclude_ips: numbers in an array": jsonList("exclude_ips", () => "1"),
  "exclude_ips: nulls in an array": jsonList("exclude_ips", () => "null"),
  "exclude_ips: arrays in an array": jsonList("exclude_ips", () => "[]"),
  "exclude_ips: objects in an array": jsonList("exclude_ips", () => "{}"),
  "exclude_ips: empty strings in an array": jsonList("exclude_ips", () => '""'),
  "exclude_ips: a number behind strings": jsonList("exclude_ips", (index) => (index === 9000 ? "1" : '"1"')),
  "both lists of numbers": rawJson(
    `{"exclude_ips":[${fill(() => "1,", maxBytes / 2 - 50)}1],"exclude_params":[${fill(() => "1,", maxBytes / 2 - 50)}1]}`,
  ),
  "every field a list of numbers": rawJson(
    `{${["domain", "privacy", "password", "email", "exclude_bots", "exclude_ips", "exclude_params"]
      .map((name) => `"${name}":[${fill(() => "1,", 9000)}1]`)
      .join(",")}}`,
  ),
  ...scalarBodies(),
  ...nameBodies(),
  ...encodedBodies(),
  ...nestedBodies(),
};

/** Query strings for the same parts. */
export const expensiveQueries: Readonly<Record<string, string>> = {
  "different parameters": fill((index) => `${index.toString(36)}&`, maxQueryBytes),
  "one parameter repeated": fill(() => "search&", maxQueryBytes),
  "a search term of 16 KiB": `search=${fill(() => "a", maxQueryBytes)}`,
  "a search term of 253 letters beyond ASCII": `search=${"%C3%BC".repeat(253)}`,
  "a search term of 253 Han characters": `search=${"%E6%BC%A2".repeat(253)}`,
  "a page number of 16 KiB": `page=${fill(() => "1", maxQueryBytes)}`,
  "a cursor of 16 KiB": `cursor=${fill(() => "A", maxQueryBytes)}`,
  "plus signs": `search=${fill(() => "+", maxQueryBytes)}`,
  escapes: `search=${fill(() => "%20", maxQueryBytes)}`,
};

/** Bodies for one entry grammar, in every shape that a list can have. */
function listBodies(field: string, entries: Record<string, (index: number) => string>): Record<string, ExpensiveBody> {
  const bodies = Object.entries(entries).flatMap(([name, entry]): [string, ExpensiveBody][] => [
    [`${field}: ${name}, on lines`, form({ [field]: fill((index) => `${entry(index)}\n`, maxBytes / 3) })],
    [`${field}: ${name}, comma-separated`, rawForm(`${field}=${fill((index) => `${entry(index)},`, maxBytes - 30)}`)],
    [`${field}: ${name}, repeated`, rawForm(fill((index) => `${field}[]=${entry(index)}&`))],
    [`${field}: ${name}, in an array`, jsonList(field, (index) => JSON.stringify(entry(index)))],
  ]);
  return Object.fromEntries(bodies);
}

/** Lists of the maximum length, with the entries that are the slowest to parse. */
function fullListBodies(): Record<string, ExpensiveBody> {
  const lists: Record<string, (index: number) => string> = {
    "full IPv6 addresses": (index) => `2001:db8:1:2:3:4:${index}:1/127`,
    "mapped IPv6 networks": (index) => `::ffff:10.0.${index % 256}.${index >> 8}/127`,
    "mapped addresses in hexadecimal": (index) => `0:0:0:0:0:ffff:${index}:1`,
    "networks of nine groups": (index) => `1:2:3:4:5:6:7:8:${index}/99`,
    "octets over 255": (index) => `1.2.3.${index + 256}`,
    words: (index) => `x${index}`,
    "long words": (index) => `${"1:".repeat(55)}${index}`,
  };
  const bodies = Object.entries(lists).map(([name, entry]): [string, ExpensiveBody] => [
    `exclude_ips: 500 ${name}`,
    json({ domain: "example.com", exclude_ips: Array.from({ length: 500 }, (_, index) => entry(index)) }),
  ]);
  const names = Array.from({ length: 100 }, (_, index) => `${"🦊".repeat(125)}${index}`);
  return { ...Object.fromEntries(bodies), "exclude_params: 100 names of emoji": json({ exclude_params: names }) };
}

function scalarBodies(): Record<string, ExpensiveBody> {
  return {
    "password: 256 emoji": json({ domain: "example.com", privacy: 2, password: "🦊".repeat(256) }),
    "password: 257 emoji": json({ domain: "example.com", privacy: 2, password: "🦊".repeat(257) }),
    "password: 64 KiB of emoji": json({ privacy: 2, password: fill(() => "🦊") }),
    "password: 64 KiB of letters": json({ privacy: 2, password: fill(() => "a") }),
    "password: 64 KiB of halves of surrogate pairs": rawJson(`{"password":"${fill(() => "\\ud83e")}"}`),
    "password: repeated": rawForm(fill(() => "password=1&")),
    "domain: 64 KiB of letters": form({ domain: fill(() => "a") }),
    "domain: 64 KiB of dots": form({ domain: fill(() => ".") }),
    "domain: 64 KiB of labels": form({ domain: fill(() => "a.") }),
    "domain: 64 KiB of colons": json({ domain: fill(() => ":") }),
    "domain: 64 KiB of colons and digits": json({ domain: fill(() => ":1") }),
    "domain: an IPv6 address of 64 KiB": json({ domain: fill(() => "1:") }),
    "domain: 64 KiB of slashes": json({ domain: fill(() => "/") }),
    "domain: 64 KiB of user information": json({ domain: `${fill(() => "a@")}example.com` }),
    "domain: 64 KiB of wildcards": json({ domain: `${fill(() => "*.")}example.com` }),
    "domain: a URL of 64 KiB": json({ domain: `https://example.com/${fill(() => "?#")}` }),
    "domain: blanks": json({ domain: `a${fill(() => " ")}a` }),
    "domain: letters beyond ASCII": json({ domain: fill(() => "ü") }),
    "domain: 1,000 Han characters": json({
      domain: Array.from({ length: 999 }, (_, index) => String.fromCodePoint(0x4e00 + index * 20)).join(""),
    }),
    "domain: a URL with 1,000 Han characters": json({
      domain: `https://${Array.from({ length: 990 }, (_, index) => String.fromCodePoint(0x4e00 + index * 20)).join("")}/`,
    }),
    "domain: 1,000 characters of Punycode": json({ domain: `xn--${"a9".repeat(497)}` }),
    "domain: 1,000 combining marks": json({ domain: `a${"\u0315\u0300\u05ae\u0062".repeat(249)}` }),
    "domain: 1,000 characters that map to many": json({ domain: "\ufdfa".repeat(999) }),
    "domain: 330 labels of Han characters": json({ domain: "漢字.".repeat(333) }),
    "privacy: 64 KiB of digits": form({ privacy: fill(() => "1") }),
    "privacy: a number of 64 KiB": rawJson(`{"privacy":${fill(() => "1")}}`),
    "privacy: 64 KiB of quotes": json({ privacy: fill(() => '"', maxBytes / 2 - 20) }),
    "privacy: repeated": rawForm(fill(() => "privacy=1&")),
  };
}

function nameBodies(): Record<string, ExpensiveBody> {
  return {
    "unknown fields in a form": rawForm(fill((index) => `${index.toString(36)}&`)),
    "unknown fields in JSON": rawJson(`{${fill((index) => `"${index.toString(36)}":0,`)}"z":0}`),
    "unknown fields that are numbers, in JSON": rawJson(`{${fill((index) => `"${index}":0,`)}"a":0}`),
    "unknown fields that are sparse numbers, in a form": rawForm(fill((index) => `${(index * 7919) % 999983}&`)),
    "one name of 64 KiB in a form": rawForm(fill(() => "a")),
    "one name of 64 KiB in JSON": rawJson(`{"${fill(() => "a")}":0}`),
    "one name of 64 KiB of escapes": rawForm(fill(() => "%00")),
    "100 names of 600 bytes": rawForm(fill((index) => `${"a".repeat(600)}${index}&`)),
    "a name repeated in a form": rawForm(fill(() => "a=1&")),
    "an empty name repeated in a form": rawForm(fill(() => "=&")),
    "a name repeated in brackets": rawForm(fill(() => "exclude_ips[]=1&")),
    "a known name repeated with a letter": rawForm(fill((index) => `exclude_ips=${index.toString(36)}&`)),
    "a name of brackets": rawForm(fill(() => "[]")),
    "names of brackets": rawForm(fill((index) => `a[${index.toString(36)}]&`)),
    ampersands: rawForm(fill(() => "&")),
    "equals signs": rawForm(fill(() => "=")),
    "__proto__ repeated in a form": rawForm(fill(() => "__proto__=1&")),
    "a name twice behind many": rawJson(`{${fill((index) => `"${index.toString(36)}":0,`)}"0":0}`),
    "names spelled with escapes": rawJson(
      `{${fill((index) => `"\\u00${(0x61 + (index % 26)).toString(16)}${index}":0,`)}"z":0}`,
    ),
  };
}

function encodedBodies(): Record<string, ExpensiveBody> {
  return {
    "percent signs": rawForm(`domain=${fill(() => "%")}`),
    escapes: rawForm(`domain=${fill(() => "%41")}`),
    "escapes of four bytes": rawForm(`domain=${fill(() => "%F0%9F%A6%8A")}`),
    "a broken escape at the end": rawForm(`domain=${fill(() => "%41")}%f`),
    "plus signs": rawForm(`domain=${fill(() => "+")}`),
    "plus signs in short names and values": rawForm(fill(() => "+=+&")),
    "plus signs and letters": rawForm(`domain=${fill(() => "+a")}`),
    "many values with plus signs": rawForm(fill((index) => `${index.toString(36)}=+&`)),
    "many values with escapes": rawForm(fill((index) => `${index.toString(36)}=%20&`)),
    "escapes in a JSON string": rawJson(`{"domain":"${fill(() => "\\n")}"}`),
    "Unicode escapes in a JSON string": rawJson(`{"domain":"${fill(() => "\\u0041")}"}`),
    "backslashes in a JSON string": rawJson(`{"domain":"${fill(() => "\\\\")}"}`),
    "quotes in a JSON string": rawJson(`{"domain":"${fill(() => '\\"')}"}`),
    "blanks before a colon": rawJson(`{"domain"${fill(() => " ")}:"a"}`),
    "blanks in a JSON body": rawJson(`${fill(() => " ")}{"domain":"a"}`),
    "strings in a JSON array": rawJson(`[${fill(() => '"",')}""]`),
    "strings and blanks in a JSON array": rawJson(`[${fill(() => '""    ,')}""]`),
    "a JSON body cut short": rawJson(`{"domain":"${fill(() => "a")}`),
    "__proto__ as a value": rawJson(`{"exclude_params":[${fill(() => '"__proto__",')}"a"]}`),
    "a constructor member next to many arrays": rawJson(`{"constructor":0,"a":[${fill(() => "[],")}0]}`),
    "a constructor member before blanks": rawJson(`{"constructor"${fill(() => " ")}:0}`),
  };
}

function nestedBodies(): Record<string, ExpensiveBody> {
  const depth = maxBytes / 2 - 20;
  return {
    "nested arrays": rawJson("[".repeat(depth) + "]".repeat(depth)),
    "nested arrays in a field": rawJson(`{"exclude_ips":${"[".repeat(depth)}${"]".repeat(depth)}}`),
    "nested arrays under an unknown field": rawJson(`{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`),
    "nested arrays in a constructor": rawJson(`{"constructor":${"[".repeat(depth)}${"]".repeat(depth)}}`),
    "nested objects": rawJson(`${'{"a":'.repeat(10_000)}0${"}".repeat(10_000)}`),
    "nested arrays cut short": rawJson("[".repeat(maxBytes)),
    "different names in an inner object": rawJson(
      `{"privacy":{${fill((index) => `"${index.toString(36)}":0,`)}"z":0}}`,
    ),
    "objects with different names": rawJson(`{"a":[${fill((index) => `{"${index.toString(36)}":0},`)}0]}`),
    "many small objects": rawJson(`[${fill(() => '{"a":0},')}{}]`),
  };
}
