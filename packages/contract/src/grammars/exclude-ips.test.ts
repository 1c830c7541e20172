import { BlockList, isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coversNetwork, excludeIps, type IpNetwork, parseIpNetwork } from "./exclude-ips.ts";

const { parseEntry } = excludeIps;

test.each([
  ["an IPv4 address", "203.0.113.9", "203.0.113.9"],
  ["an IPv6 address", "2001:db8::1", "2001:db8::1"],
  ["IPv6 in capitals and in full", "2001:0DB8:0000:0000:0000:0000:0000:0001", "2001:db8::1"],
  ["IPv6 with the longer run of zeros shortened", "1:0:0:2:0:0:0:3", "1:0:0:2::3"],
  ["IPv6 with an IPv4 tail", "64:ff9b::192.0.2.1", "64:ff9b::c000:201"],
  ["IPv4-mapped IPv6 as IPv4", "::ffff:203.0.113.9", "203.0.113.9"],
  ["a network with its host bits cleared", "203.0.113.9/24", "203.0.113.0/24"],
  ["an IPv6 network with its host bits cleared", "2001:db8:ffff::1/33", "2001:db8:8000::/33"],
  ["a network of one IPv4 address bare", "203.0.113.9/32", "203.0.113.9"],
  ["a network of one IPv6 address bare", "2001:db8::1/128", "2001:db8::1"],
  ["an IPv4-mapped network as IPv4", "::ffff:203.0.113.9/120", "203.0.113.0/24"],
  ["all of the mapped range as all of IPv4", "::ffff:0:0/96", "0.0.0.0/0"],
  ["a network wider than the mapped range as IPv6", "::ffff:203.0.113.9/64", "::/64"],
  ["an IPv4 wildcard", "203.0.113.*", "203.0.113.*"],
])("an entry is stored in one form %s", (_what, text, value) => {
  expect(parseEntry(text)).toEqual({ ok: true, value });
});

const example = 'send a value such as "203.0.113.7", "203.0.113.0/24", "203.0.113.*" or "2001:db8::/32"';
const other = `is not an IP address or network; ${example}`;
const four = `is not an IPv4 address with four octets from 0 to 255; ${example}`;
const zero =
  "has an octet with a leading zero, which some programs read as octal; send the address without leading zeros";
const wildcard = 'is not an IPv4 wildcard; send four octets that end in "*", such as "203.0.113.*"';
const all = 'would match every address; send octets before the "*", such as "203.0.113.*"';

const length = (text: string, most: number) => `has the prefix length "${text}"; send a whole number from 0 to ${most}`;

test.each([
  [other, ["2.03113E+11", "localhost", "0xcb.0.113.9", "/24", "http://203.0.113.9/"]],
  [four, ["203.0.113.256", "203.0.113"]],
  [zero, ["203.0.113.09"]],
  [length("33", 32), ["203.0.113.0/33"]],
  [length("129", 128), ["2001:db8::/129"]],
  [length("255.255.255.0", 32), ["203.0.113.0/255.255.255.0"]],
  [wildcard, ["203.*.113.9", "203.0.113.1*", "203.0.113.*/24"]],
  [all, ["*.*.*.*", "*"]],
])("an invalid entry is refused, and the reason says what to send instead %s", (reason, texts) => {
  for (const text of texts) expect([text, parseEntry(text)]).toEqual([text, { ok: false, reason }]);
});

describe("any string", () => {
  const addresses = fc.oneof(fc.ipV4(), fc.ipV6());
  const pieces = fc.array(
    fc.constantFrom(":", "::", ".", "/", "*", "%", "0", "00", "1", "255", "256", "0x7f", "ffff", "db8", "g", "-", " "),
    {
      maxLength: 12,
    },
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    addresses,
    fc.ipV4Extended(),
    pieces.map((parts) => parts.join("")),
  );

  test("is parsed to an entry that is its own canonical form, or to a reason", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseEntry(text);
        if (parsed.ok) expect(parseEntry(parsed.value)).toEqual(parsed);
        else expect(parsed.reason).toMatch(/^(is|has|contains|would) .*; send /);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([["-"], [" "], ["1"], ["1 "], [" /"], [":"], ["1:"], ["1:*"], ["0.0.0.0 "], ["::1/"], ["a-"]])(
    "is refused quickly at the maximum body size, if it consists of %j",
    (piece) => {
      const start = process.cpuUsage();
      expect(parseEntry(piece.repeat(65_536 / piece.length)).ok).toBe(false);
      expect(process.cpuUsage(start).user).toBeLessThan(100_000);
    },
  );

  test("is an address only if the operating system also reads it as one", () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!/[/*%]/.test(text));
        expect(parseEntry(text).ok).toBe(isIP(text) !== 0);
      }),
      { numRuns: 2000 },
    );
  });

  test("a canonical IPv6 address is the same as from a URL parser", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const value = canonical(address);
        fc.pre(value.includes(":"));
        expect(`[${value}]`).toBe(new URL(`http://[${address}]`).hostname);
      }),
    );
  });

  test("a canonical network contains the address that it was built from, and has no host bits", () => {
    fc.assert(
      fc.property(addresses, fc.nat(128), (address, length) => {
        const prefix = isIP(address) === 4 ? length % 33 : length;
        const value = canonical(`${address}/${prefix}`);
        const [network = "", stored] = value.split("/");
        const list = new BlockList();
        list.addSubnet(network, Number(stored ?? (isIP(network) === 4 ? 32 : 128)), familyOf(network));
        expect(list.check(address, familyOf(address))).toBe(true);
        expect(canonical(value)).toBe(value);
      }),
    );
  });
});

function canonical(text: string): string {
  const parsed = parseEntry(text);
  if (!parsed.ok) throw new Error(`${text} ${parsed.reason}`);
  return parsed.value;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

const read = (text: string): IpNetwork => {
  const parsed = parseIpNetwork(text);
  return parsed.ok ? parsed.value : expect.unreachable();
};

test.each([
  [true, "203.0.113.0/24>203.0.113.7 203.0.113.*>203.0.113.128/25 203.0.113.6/31>203.0.113.7/32 0.0.0.0/0>255.0.0.1"],
  [true, "::/0>ffff::/16 2001:db8::/33>2001:db8:7fff::1 ::ffff:203.0.113.0/120>203.0.113.7 a::/128>a::"],
  [false, "203.0.113.0/24>203.0.112.0/23 203.0.113.6/31>203.0.113.8 203.0.113.7>203.0.113.6 0.0.0.0/0>::"],
  [false, "2001:db8::/33>2001:db8:8000::1 ::/0>203.0.113.7 a::/128>a::/127 a::>a::1"],
])("a network contains another one, or an address %s: %s", (isCovered, pairs) => {
  for (const [outer = "", inner = ""] of pairs.split(" ").map((pair) => pair.split(">"))) {
    expect(coversNetwork(read(outer), read(inner)), `${outer} ${inner}`).toBe(isCovered);
  }
});

test("a network contains another one, or an address if its bits begin with those that all addresses of the other share", () => {
  const bits = ({ words, prefix }: IpNetwork) =>
    `${words.length}:${words.map((word) => word.toString(2).padStart(32, "0")).join("")}`.slice(0, prefix + 2);
  // Few different words, so that many networks contain each other.
  const address = fc.constantFrom("10.0.0.1", "10.0.128.1", "10.0.0.0", "a::", "a:0:8000::1", "a::8000:0:1", "a::1");
  const network = fc.tuple(address, fc.nat(128)).map(([text, prefix]) => {
    return read(`${text}/${text.includes(":") ? prefix : prefix % 33}`);
  });
  fc.assert(
    fc.property(network, network, (outer, inner) => {
      expect(coversNetwork(outer, inner)).toBe(bits(inner).startsWith(bits(outer)));
    }),
  );
});
