import { createWebsiteBody, parseParameterName } from "@siteward/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type CountedHosts, compileRules, type RuleSettings } from "../src/index.ts";
import { settings, visitor } from "./support/settings.ts";
import { judgeSlowly } from "./support/slow-judge.ts";

/** Few different octets and groups, so that networks contain each other and the addresses of visits. */
const octet = fc.constantFrom("0", "1", "7", "127", "128", "254", "255");
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join("."));
const group = fc.constantFrom("0", "1", "00", "7fff", "8000", "ffff", "FFFE", "db8", "0db8");
const ipv6 = fc.oneof(
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(":")),
  fc
    .tuple(fc.array(group, { maxLength: 4 }), fc.array(group, { maxLength: 3 }))
    .map(([head, tail]) => `${head.join(":")}::${tail.join(":")}`),
  fc
    .tuple(fc.constantFrom("::ffff:", "::FFFF:", "::", "64:ff9b::", "0:0:0:0:0:ffff:"), ipv4)
    .map(([head, tail]) => head + tail),
  fc.tuple(group, group).map(([high, low]) => `::ffff:${high}:${low}`),
  fc.ipV6(),
);
const wildcard = fc
  .tuple(fc.array(octet, { minLength: 1, maxLength: 3 }), fc.constant("*"))
  .map(([fixed, star]) => [...fixed, star, star, star].slice(0, 4).join("."));
const ipEntry = fc.oneof(
  ipv4,
  ipv6,
  wildcard,
  fc.tuple(ipv4, fc.nat(32)).map(([address, prefix]) => `${address}/${prefix}`),
  fc.tuple(ipv6, fc.nat(128)).map(([address, prefix]) => `${address}/${prefix}`),
);

const piece = fc.constantFrom(..."utm_ü🦊+%U;.é*", "[]", "%5F", "%C3%BC", "%c3", "%f0%9f%a6%8a", "%75");
const name = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
const paramEntry = fc.tuple(name, fc.constantFrom("", "", "*")).map(([text, star]) => text + star);
const queryPiece = fc.oneof(name, fc.constantFrom("&", "&", "=", "?", "/", "=a", "&&"));
const query = fc.array(queryPiece, { maxLength: 12 }).map((pieces) => pieces.join(""));
const fragment = fc.constantFrom("", "", "#", "#top", "#?utm=1&u", "#/a?t#b");
const host = fc.constantFrom(
  "example.com",
  "www.example.com",
  "EXAMPLE.com",
  "blog.example.com",
  "example.com.",
  "example.com:8443",
  "user:p@example.com",
  "www.blog.example.com",
  "bücher.example",
  "www.xn--bcher-kva.example",
  "badexample.com",
  "203.0.113.7",
  "[::1]",
  "com",
);
const url = fc
  .tuple(
    fc.constantFrom("https://", "http://", "HTTPS://"),
    host,
    fc.constantFrom("", "/", "/a;b=1/%7e"),
    fc.constantFrom("", "?"),
    query,
    fragment,
  )
  .map(([scheme, name, path, mark, text, hash]) => scheme + name + path + (mark === "" ? "" : mark + text) + hash);

const website = fc.record({
  domain: fc.constantFrom("example.com", "www.example.com", "blog.example.com", "xn--bcher-kva.example", "www.com"),
  exclude_bots: fc.constantFrom(0, 1),
  exclude_params: fc.array(paramEntry, { maxLength: 8 }),
  exclude_ips: fc.array(ipEntry, { maxLength: 12 }),
});
const visit = fc.record(
  {
    url,
    ip: fc.oneof(ipv4, ipv6),
    userAgent: fc.constantFrom(
      visitor.userAgent ?? "",
      "",
      "curl/8.5.0",
      "Mozilla/5.0 (compatible; Googlebot/2.1)",
      `${visitor.userAgent} ${"x".repeat(450)} bot`,
    ),
  },
  { requiredKeys: ["url"] },
);
const hosts = fc.constantFrom<CountedHosts>("exact", "www", "subdomains");

test("rules judge as a slow judge does that reads every entry for every visit", () => {
  fc.assert(
    fc.property(website, fc.array(visit, { minLength: 1, maxLength: 5 }), hosts, (body, visits, option) => {
      const stored = store(body);
      const rules = compileRules(stored, { hosts: option });
      for (const one of visits) expect(summarize(rules.judge(one))).toEqual(judgeSlowly(stored, one, option));
    }),
    { numRuns: 1000 },
  );
});

test("an entry in the form in which it is sent is obeyed as the stored one", () => {
  fc.assert(
    fc.property(fc.array(ipEntry, { maxLength: 12 }), fc.oneof(ipv4, ipv6), (entries, ip) => {
      const sent = compileRules({ ...settings, exclude_ips: entries }).judge({ ...visitor, ip });
      const stored = compileRules(store({ ...settings, exclude_ips: entries })).judge({ ...visitor, ip });
      expect(sent.counted).toBe(stored.counted);
    }),
    { numRuns: 500 },
  );
});

test("rules compile exactly if the service accepts each entry, or once did: a|b is a name that never occurs", () => {
  const ip = fc.oneof(
    ipEntry,
    fc
      .array(fc.constantFrom("1", ".", "*", "/", ":", "::", "ffff", "%", " "), { minLength: 1, maxLength: 7 })
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(ip, fc.oneof(paramEntry, fc.string({ minLength: 1, maxLength: 6 })), (address, parameter) => {
      // The service trims entries, and divides them at commas and line breaks.
      fc.pre([address, parameter].every((entry) => entry !== "" && entry === entry.trim() && !/[,\r\n]/.test(entry)));
      const body = { domain: "example.com", exclude_ips: [address], exclude_params: [parameter] };
      const isAccepted = createWebsiteBody.safeParse(body).success;
      const compile = () => compileRules({ ...settings, exclude_ips: [address], exclude_params: [parameter] });
      const isIp = createWebsiteBody.safeParse({ domain: "example.com", exclude_ips: [address] }).success;
      if (isAccepted || (isIp && parseParameterName(parameter).ok)) expect(compile).not.toThrow();
      else expect(compile).toThrow(/^exclude_(ips|params) contains .* (is|has|contains|would) .*; send /);
    }),
    { numRuns: 2000, examples: [["203.0.113.7", "a|b"]] },
  );
});

/** Returns what the service stores, without the parameters that it refuses. */
function store(body: { readonly [Field in keyof RuleSettings]: unknown }): RuleSettings {
  const isParameter = (entry: unknown) => createWebsiteBody.shape.exclude_params.safeParse([entry]).success;
  const parameters = Array.isArray(body.exclude_params) ? body.exclude_params.filter(isParameter) : [];
  return createWebsiteBody.parse({ ...body, exclude_params: parameters });
}

function summarize(verdict: ReturnType<ReturnType<typeof compileRules>["judge"]>): unknown {
  if (verdict.counted) return { url: verdict.url };
  // The slow judge does not know the patterns of bots.
  return verdict.reason === "bot" ? { reason: "bot" } : { reason: verdict.reason, rule: verdict.rule };
}
