import fc, { type Arbitrary } from "fast-check";
import { weighted } from "./weighted.ts";

/** The fields of a body, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** Few domains, so that many requests name one that exists. */
const domains = [
  "a.example",
  "b.example",
  "shop.example.com",
  "blog.example.com",
  "x-y.co.uk",
  "xn--bcher-kva.example",
];
const spelledDomains = [
  "A.Example",
  "b.example.",
  " shop.example.com\t",
  "Bücher.example",
  "ｂｌｏｇ.example.com",
  "faß.example",
];
const refusedDomains = [
  ...[
    "",
    " ",
    "localhost",
    "a_b.com",
    "http://x.com",
    "//x.com",
    "x.com/path",
    "x.com?q",
    "x.com:80",
    "u@x.com",
    "*.x.com",
  ],
  ...["1.2.3.4", "0x7f.1", "[::1]", "::1", "a..com", ".com", "-a.com", "a-.com", "x.123", "a b.com", "xn--a.com"],
  ...[`${"a".repeat(64)}.com`, `${"b23456789.".repeat(25)}abcd`, "x\u0000.com", "a\u2028b.com", "x".repeat(2000)],
];
const params = ["utm_*", "gclid", "Gclid", "q", "p[]", "ü", "%20", "_ga"];
const refusedParams = ["*", "a*b", "a=b", "a&b", "a b", "a#", "x".repeat(129), "?q"];
const addresses = [
  ...["203.0.113.7", "203.0.113.9/24", "203.0.113.*", "10.*.*.*", "198.51.100.4/32", "2001:DB8:0:0:0:0:0:1"],
  ...["2001:db8::1/32", "::ffff:192.0.2.1", "::1/128", "0.0.0.0/0", "203.0.113.0/24"],
];
const refusedAddresses = [
  "*",
  "1.2.3",
  "1.2.3.256",
  "01.2.3.4",
  "1.2.3.4/33",
  "::1%eth0",
  "::g",
  "1.2.3.4/",
  "1.*.3.4",
];

/** Values that no field expects. */
const anyOddValue = fc.oneof(
  fc.constantFrom<unknown>(null, true, 7, -1, 0.5, 1e300, "", " 1", "01", "true", [], [1], [0, 1], ["a", "b"], {}, [
    null,
  ]),
  fc.jsonValue({ maxDepth: 1 }),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);

const anyDomain = weighted<unknown>(
  [70, fc.constantFrom(...domains)],
  [15, fc.constantFrom(...spelledDomains)],
  [8, fc.constantFrom(...refusedDomains)],
  [3, fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => `${text}.example`)],
  [4, anyOddValue],
);

/** To hash a password takes 25 to 60 ms of a core, so few are accepted. */
const anyValidPassword = fc.constantFrom("correct horse", "12345678", "🔑".repeat(256));
const anyPassword = weighted<unknown>(
  [1, anyValidPassword],
  [20, fc.constantFrom("", "1234567", `${"🔑".repeat(256)}x`)],
  [5, anyOddValue],
);

const anyParams = anyList(params, refusedParams, 100);
const anyAddresses = anyList(addresses, refusedAddresses, 500);

const anySettings = {
  privacy: sometimes(40, anyChoice([0, 1, 0, 1, 0, 1, 2])),
  password: sometimes(6, anyPassword),
  email: sometimes(40, anyChoice([0, 1])),
  exclude_bots: sometimes(30, anyChoice([0, 1])),
  exclude_params: sometimes(30, anyParams),
  exclude_ips: sometimes(30, anyAddresses),
};

export const anyCreateFields: Arbitrary<Fields> = weighted<Fields>(
  [150, fc.record({ domain: anyDomain, ...anySettings })],
  [1, fc.record({ domain: anyDomain, ...anySettings, privacy: fc.constant(2), password: anyValidPassword })],
  [7, fc.record({ domain: sometimes(50, anyDomain), ...anySettings, ...unknownFields() })],
).map(withoutUndefined);

export const anyUpdateFields: Arbitrary<Fields> = weighted<Fields>(
  [150, fc.record(anySettings)],
  [1, fc.record({ ...anySettings, privacy: fc.constant(2), password: anyValidPassword })],
  [7, fc.record({ domain: sometimes(50, anyDomain), ...anySettings, ...unknownFields() })],
).map(withoutUndefined);

/** A field that few requests have. */
function sometimes(percent: number, value: Arbitrary<unknown>): Arbitrary<unknown> {
  return weighted<unknown>([100 - percent, fc.constant(undefined)], [percent, value]);
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function unknownFields() {
  const names = ["Domain", "id", "has_password", "created_at", "x", "constructor", "toString", "data", "x".repeat(300)];
  return Object.fromEntries(names.map((name) => [name, sometimes(20, anyOddValue)]));
}

/** A number as itself or as a string, or another value. */
function anyChoice(values: readonly number[]): Arbitrary<unknown> {
  return weighted<unknown>(
    [24, fc.constantFrom(...values)],
    [10, fc.constantFrom(...values).map(String)],
    [1, anyOddValue],
  );
}

function anyList(accepted: readonly string[], refused: readonly string[], maxEntries: number): Arbitrary<unknown> {
  const anyEntries = fc.array(fc.constantFrom(...accepted), { maxLength: 4 });
  const separators = [",", "\n", "\r\n", " , ", "\n\n"];
  const toEntries = (length: number) => Array.from({ length }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
  return weighted<unknown>(
    [20, anyEntries],
    [10, fc.tuple(anyEntries, fc.constantFrom(...separators)).map(([entries, separator]) => entries.join(separator))],
    [2, fc.array(fc.constantFrom(...accepted, ...refused), { minLength: 1, maxLength: 6 })],
    [1, fc.constantFrom(maxEntries, maxEntries + 1).map(toEntries)],
    [1, anyOddValue],
  );
}
