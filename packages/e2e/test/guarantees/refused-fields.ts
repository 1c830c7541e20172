/** Fields that are refused, each set with the name of the one in the answer's `errors`. */
type Refusals = ReadonlyArray<readonly [fields: Readonly<Record<string, unknown>>, refused: readonly string[]]>;

/** Together with the domain "example.com", if they have none. */
export const refusedInCreate: Refusals = [
  ...each("domain", [undefined, "", "https://example.com", "localhost", 5, null, ["example.com"]]),
  ...each("privacy", [3, -1, "", "public", "01", 0.5, true, null]),
  ...each("email", [2, "yes"]),
  ...each("exclude_bots", [2, "true"]),
  ...each("exclude_params", ["a b", "*", "x".repeat(129), [1], { 0: "a" }, "a\u0000b", "utm\u202e_ecruos"]),
  ...each("exclude_params", [
    Array.from({ length: 101 }, (_, index) => `p${index}`),
    ["utm_source", "utm_source\u200b"],
  ]),
  ...each("exclude_ips", ["203.0.113.256", "203.0.113.0/33", "example.com", null]),
  ...each("exclude_ips", [Array.from({ length: 501 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)]),
  ...each("password", [undefined, "7 chars", "x".repeat(257), 12345678], { privacy: 2 }),
  ...each("password", ["correct horse"]),
  ...each("password", ["correct horse"], { privacy: 1 }),
  ...["unknown", "id", "has_password", "created_at"].flatMap((name) => each(name, [1])),
];

/** Of a website with privacy 1. */
export const refusedInUpdate: Refusals = [
  ...each("privacy", [3, "", null]),
  ...each("email", [2, null]),
  ...each("exclude_bots", ["on"]),
  ...each("exclude_params", ["a=b", "\u3164", null]),
  ...each("exclude_ips", ["nonsense"]),
  ...each("password", ["short", null]),
  ...each("password", ["x".repeat(257)], { privacy: 2 }),
  ...each("domain", ["other.example", "example.com"]),
  ...["unknown", "id"].flatMap((name) => each(name, [1])),
];

/** Entries that people send for what they mean, but that no parameter and no address can match, and what to send instead. */
export const neverMatch: ReadonlyArray<readonly [field: string, send: string, entries: readonly string[]]> = [
  [
    "exclude_params",
    'a prefix that ends in "*", such as "utm_*", or a name',
    ["utm_.*", "/^utm_/", "utm_\\w+", "fb[a-z]*"],
  ],
  ["exclude_params", "it without quotation marks", ['"gclid"', "'gclid'", '["gclid"', "“gclid”"]],
  ["exclude_params", "names separated by commas", ["gclid|fbclid", "gclid;fbclid", "gclid fbclid", "(a|b)"]],
  ["exclude_params", "only what to exclude", ["!gclid", "-gclid"]],
  ["exclude_params", "it decoded", ["utm%5Fsource", "filter%5Ba%5D", "utm_%"]],
  ["exclude_ips", '"2001:db8::/32"', ["2001:db8:*", "2001:db8::*", "2001:db8:*:*:*:*:*:*"]],
  ["exclude_ips", '"2001:db8:0:1::/64"', ["2001:DB8:0:1:*"]],
  ["exclude_ips", "networks that have its addresses", ["203.0.113.1-203.0.113.9", "203.0.113.1 - 9", "2001:db8::1-ff"]],
  ["exclude_ips", "networks that have its addresses", ["Paris 203.0.113.1-203.0.113.9", "203.0.113.1 – 9 (office)"]],
  ["exclude_ips", '"203.0.113.7"', ["203.0.113.7 office", "203.0.113.7 # office", '"203.0.113.7"', "203.0.113.7:443"]],
  ["exclude_ips", '"2001:db8::1"', ["[2001:db8::1]:443", "office: 2001:db8::1", "2001:db8::1%eth0"]],
  ["exclude_ips", '"203.0.113.0/24"', ["203.0.113.0 / 24", "203.0.113.0/24 (office)", "203.0.113.0\\24"]],
  ["exclude_ips", "them separated by commas", ["203.0.113.7 203.0.113.8", "203.0.113.7;2001:db8::/32 203.0.113.*"]],
  ["exclude_ips", "only what to exclude", ["!203.0.113.7", "-203.0.113.7"]],
];

/** Forms with names that some libraries read as nesting, or that every object of JavaScript has. */
export const refusedForms: readonly string[] = [
  `domain=example.com&a${"[b]".repeat(30)}=1`,
  "domain=example.com&constructor[prototype][privacy]=1",
  "domain=example.com&__proto__[privacy]=1",
  "domain=example.com&__proto__=1",
  "domain=example.com&domain[x]=a.example",
  "domain=example.com&exclude_ips[a]=203.0.113.7",
  "domain=example.com&exclude_ips[0][]=203.0.113.7",
  "domain=example.com&exclude_ips[][]=203.0.113.7",
  "domain=example.com&toString=1",
  "domain=example.com&=1",
];

function each(name: string, values: readonly unknown[], others: object = {}): Refusals {
  return values.map((value) => [{ ...others, [name]: value }, [name]]);
}
