import type { Random } from "../random.ts";
import { wildText } from "./wild-text.ts";

/** A value of a field, and what is known about it without the contract. */
export interface FieldValue {
  readonly sent: unknown;
  /** What is stored for the value. If absent, the contract's schema decides. */
  readonly stored?: unknown;
  readonly isRefused?: true;
}

const parts = ["shop", "blog", "ab", "x-y", "news", "a1", "zebra", "mail"] as const;
const ends = ["example.com", "example.org", "co.uk", "test"] as const;

/** Picks one of about 130 domains, so that accounts often use a domain that they already have. */
export function pickDomain(random: Random): string {
  return `${random.pick(parts)}${random.integer(0, 3)}.${random.pick(ends)}`;
}

const spelledDomains: readonly (readonly [string, string])[] = [
  ["Bücher.example", "xn--bcher-kva.example"],
  ["bu\u0308cher.example", "xn--bcher-kva.example"],
  ["ｓｈｏｐ.example", "shop.example"],
  ["faß.example", "xn--fa-hia.example"],
  ["例え.テスト", "xn--r8jz45g.xn--zckzah"],
  [`${"a".repeat(63)}.example`, `${"a".repeat(63)}.example`],
  [`${"b23456789.".repeat(25)}abc`, `${"b23456789.".repeat(25)}abc`],
];

const refusedDomains: readonly unknown[] = [
  ...["", " ", "localhost", "a_b.com", "http://x.com", "//x.com", "x.com/path", "x.com?q", "x.com:80", "u@x.com"],
  ...["*.x.com", "1.2.3.4", "0x7f.1", "[::1]", "::1", "a..com", ".com", "-a.com", "a-.com", "x.123", "a b.com"],
  ...[`${"a".repeat(64)}.com`, `${"b23456789.".repeat(25)}abcd`, "x\u0000.com", "x.com\n.org", null, 7, true, {}, []],
  ...[["a.com", "b.com"], "x".repeat(5000), "\ud800.com", "xn--a.com", "a\u2028b.com"],
];

export function domainValue(random: Random): FieldValue {
  const kind = random.integer(1, 20);
  if (kind === 1) return { sent: random.pick(refusedDomains), isRefused: true };
  if (kind === 2) return { sent: `${wildText(random)}${random.pick(["", ".com", ".example"])}` };
  if (kind === 3) {
    const [sent, stored] = random.pick(spelledDomains);
    return { sent, stored };
  }
  const stored = pickDomain(random);
  const spell = random.pick([
    (text: string) => text,
    (text: string) => text.toUpperCase(),
    (text: string) => `${text}.`,
    (text: string) => ` \t${text} `,
  ]);
  return { sent: spell(stored), stored };
}

/** Picks one of a few integers, as a number or a string, or another value. */
export function choiceValue(random: Random, values: readonly number[]): FieldValue {
  const stored = random.pick(values);
  if (random.chance(0.93)) return { sent: random.chance(0.5) ? stored : String(stored), stored };
  const refused = [-1, 3, 0.5, "", " 1", "01", "1.0", "true", true, null, [0], [0, 1], {}, "9".repeat(30), 1e300];
  return { sent: random.pick(refused), isRefused: true };
}

export function passwordValue(random: Random): FieldValue {
  const kind = random.integer(1, 6);
  const long = "🔑".repeat(256);
  if (kind === 1) return { sent: random.pick(["correct horse", "12345678", long, "\u0000 control \u0007"]) };
  if (kind === 2) return { sent: "" };
  return { sent: random.pick(["1234567", `${long}x`, null, [12345678], {}]), isRefused: true };
}

const params = ["utm_*", "gclid", "Gclid", "fbclid", "q", "ref", "p[]", "ü", "%20", "_ga"] as const;
const refusedParams = ["*", "a*b", "a=b", "a&b", "a b", "a#", "x".repeat(129), "?q"] as const;

export function paramsValue(random: Random): FieldValue {
  const kind = random.integer(1, 12);
  if (kind === 1) return { sent: ["q", random.pick(refusedParams)], isRefused: true };
  if (kind === 2) return { sent: Array.from({ length: 101 }, (_, index) => `p${index}`), isRefused: true };
  if (kind === 3) return listed(Array.from({ length: 100 }, (_, index) => `${index}`.padStart(128, "p")).slice(0, 40));
  if (kind === 4) return { sent: random.pick([null, 1, {}, [1], [["q"]], "\n,,\r\n", wildText(random)]) };
  return listed(random.shuffle(params).slice(0, random.integer(0, 4)));
}

const ips: readonly (readonly [string, string])[] = [
  ["203.0.113.7", "203.0.113.7"],
  ["203.0.113.9/24", "203.0.113.0/24"],
  ["203.0.113.*", "203.0.113.*"],
  ["10.*.*.*", "10.*.*.*"],
  ["198.51.100.4/32", "198.51.100.4"],
  ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
  ["2001:db8::1/32", "2001:db8::/32"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::1/128", "::1"],
  ["0.0.0.0/0", "0.0.0.0/0"],
];
const refusedIps = ["*", "1.2.3", "1.2.3.256", "01.2.3.4", "1.2.3.4/33", "::1%eth0", "::g", "1.2.3.4/", "a", "1.*.3.4"];

export function ipsValue(random: Random): FieldValue {
  const kind = random.integer(1, 12);
  if (kind === 1) return { sent: ["::2", random.pick(refusedIps)], isRefused: true };
  if (kind === 2) {
    return { sent: Array.from({ length: 501 }, (_, index) => `10.0.${index >> 8}.${index & 255}`), isRefused: true };
  }
  if (kind === 3) return listed(Array.from({ length: 500 }, (_, index) => `10.0.${index >> 8}.${index & 255}`));
  if (kind === 4) return { sent: random.pick([null, 1, {}, [null], ", ,", wildText(random)]) };
  const chosen = random.shuffle(ips).slice(0, random.integer(0, 5));
  return { sent: chosen.map(([sent]) => sent), stored: chosen.map(([, stored]) => stored) };
}

/** Distinct entries are stored as they are. */
function listed(entries: readonly string[]): FieldValue {
  return { sent: entries, stored: entries };
}
