import { describe, expect, test } from "vitest";
import {
  compileRules,
  InvalidSettingError,
  InvalidVisitError,
  type RuleOptions,
  type RuleSettings,
  type Visit,
} from "../src/index.ts";
import { settings, visitor } from "./support/settings.ts";

const strict: RuleSettings = {
  domain: "example.com",
  exclude_bots: 1,
  exclude_params: ["utm_*"],
  exclude_ips: ["203.0.113.0/24", "2001:db8::/32"],
};
const address = 'send only the address, such as "203.0.113.7" or "2001:db8::1"';
const encoded = "contains a space or a control character; send it percent-encoded, as location.href";
const entire = 'send the entire URL of the page, such as "https://example.com/pricing"';

test.each([
  ["https://www.example.com:8443/a?utm_source=mail&q=1#x", "https://www.example.com:8443/a?q=1#x"],
  ["https://other.example/?utm_source=mail", "https://other.example/?utm_source=mail"],
  ["https://example.com/a b?utm_source=mail", "https://example.com/a b?utm_source=mail"],
  ["/?utm_source=mail", "/?utm_source=mail"],
  ["", ""],
])("the referrer %s is cleaned to %s", (referrer, cleaned) => {
  expect(compileRules(strict).cleanReferrer(referrer)).toBe(cleaned);
});

describe("a malformed visit is an error that says what to send, whatever the settings are", () => {
  test.each<[field: keyof Visit, fault: string, values: readonly unknown[]]>([
    ["ip", `is empty; ${address}, or omit it`, [""]],
    ["ip", `has a port; ${address}`, ["203.0.113.7:52044"]],
    ["ip", `contains a bracket; ${address}`, ["[2001:db8::1]"]],
    ["ip", "has a zone ID, which is valid on one machine only; send the address without it", ["fe80::1%eth0"]],
    ["ip", "has an octet with a leading zero; send the address without leading zeros", ["203.0.113.07"]],
    ["ip", `contains whitespace; ${address}`, [" 203.0.113.7"]],
    ["ip", `is a network; ${address}`, ["203.0.113.0/24"]],
    ["ip", `is not an IP address; ${address}`, ["203.0.113.*", "٢٠٣.0.113.7"]],
    ["ip", `has 101 characters; ${address}`, ["1".repeat(101)]],
    ["ip", `contains a comma; ${address}. A list, as in X-Forwarded-For, is of several machines`, ["192.0.2.1, ::1"]],
    ["ip", `must be a string; ${address}`, [7, null]],
    ["url", `is missing; ${entire}`, [undefined]],
    ["url", `must be a string; ${entire}`, [null]],
    ["url", `is empty; ${entire}`, [""]],
    ["url", `is not absolute; ${entire}`, ["/pricing", "localhost:3000/", "example.com:8080/a"]],
    ["url", `has a scheme other than "https" and "http"; ${entire}`, ["ftp://example.com/"]],
    ["url", `has no "//" behind its scheme; ${entire}`, ["https:example.com"]],
    ["url", `has no host; ${entire}`, ["https://"]],
    ["url", `has a host or a port that is not valid; ${entire}`, ["https://exam%ple.com/"]],
    ["url", `has a host that is too long; ${entire}`, [`https://${"a".repeat(2_000)}.example.com/`]],
    ["url", encoded, ["https://example.com/a b", " https://example.com/"]],
    ["userAgent", "must be a string; send the header User-Agent of the visitor", [7, null]],
  ])("%s %s", (field, fault, values) => {
    for (const value of values) {
      // A program without types may pass anything.
      const visit = { ...visitor, [field]: value } as Visit;
      for (const website of [settings, { ...strict, domain: "other.example" }]) {
        const error = catchError(() => compileRules(website).judge(visit));
        expect(error).toBeInstanceOf(InvalidVisitError);
        expect(error).toMatchObject({ name: "InvalidVisitError", field, message: `${field} ${fault}.` });
      }
    }
  });

  test.each([undefined, null, 7, "https://example.com/"])("a visit that is %j", (visit) => {
    expect(() => compileRules(settings).judge(visit as unknown as Visit)).toThrow(InvalidVisitError);
  });

  test.each([
    ["userAgent", { url: visitor.url, ip: visitor.ip, user_agent: "Firefox" }, '"user_agent"'],
    ["ip", { url: visitor.url, address: "203.0.113.7", userAgent: "Firefox" }, '"address"'],
    ["ip", { ...visitor, ip: undefined, address: "203.0.113.7" }, undefined],
    ["url", { URL: visitor.url, ip: visitor.ip }, '"URL"'],
    ["userAgent", { url: visitor.url, ip: visitor.ip, "a\n\u001b": 1 }, '"a\\u000a\\u001b"'],
  ])("without %s and with an unknown field, which can be a misspelt one: %j", (field, visit, shown) => {
    const judge = () => compileRules(settings).judge(visit as Visit);
    if (shown === undefined) return expect(judge()).toMatchObject({ counted: true });
    const message = `${field} is missing, and ${shown} is not a field; send only url, ip, userAgent.`;
    expect(catchError(judge)).toMatchObject({ name: "InvalidVisitError", field, message });
  });
});

describe("settings that the service would refuse are an error that says what to send", () => {
  test.each([
    ["domain", "example", 'is a single label; send a full host name such as "example.com"'],
    ["domain", undefined, "must be a string"],
    ["exclude_bots", true, "must be 0 or 1"],
    ["exclude_params", "utm_*", "must be an array of strings, as in a website record"],
    [
      "exclude_params",
      ["*"],
      'contains "*", which would match every parameter; send a prefix before the "*", such as "utm_*"',
    ],
    ["exclude_params", [7], "contains a value that is not a string"],
    ["exclude_ips", null, "must be an array of strings, as in a website record"],
    [
      "exclude_ips",
      ["203.0.113.0/33"],
      'contains "203.0.113.0/33", which has the prefix length "33"; send a whole number from 0 to 32',
    ],
    ["exclude_ips", [7], "contains a value that is not a string"],
  ])("%s %j", (field, value, fault) => {
    const error = catchError(() => compileRules({ ...settings, [field]: value }));
    expect(error).toBeInstanceOf(InvalidSettingError);
    expect(error).toMatchObject({ name: "InvalidSettingError", field, message: `${field} ${fault}.` });
  });

  const example = 'pass an object such as { hosts: "exact" }';
  const noWebsite = "website is not an object; pass a website record.";
  test.each<[website: unknown, options: unknown, message: string]>([
    [settings, { hosts: "all" }, 'hosts is unknown; pass "exact", "www" or "subdomains".'],
    [settings, { host: "exact" }, `host is not an option; ${example}.`],
    [settings, "exact", `options is not an object; ${example}.`],
    ...[undefined, null, "example.com"].map((website) => [website, {}, noWebsite] as [unknown, unknown, string]),
  ])("what is no website or no option: %j with %j", (website, options, message) => {
    const error = catchError(() => compileRules(website as RuleSettings, options as RuleOptions));
    expect(error).toBeInstanceOf(InvalidSettingError);
    expect(error).toMatchObject({ field: message.split(" ")[0], message });
  });
});

test("a visit that is not counted is explained with what was judged", () => {
  const rules = compileRules(strict);
  expect(rules.judge({ ...visitor, url: "https://user:secret@Bücher.example:8443/?token=secret" })).toEqual({
    counted: false,
    reason: "host",
    rule: "example.com",
    explanation: "The page is on xn--bcher-kva.example, which is not example.com or www.example.com.",
  });
  expect(rules.judge({ ...visitor, ip: "::FFFF:203.0.113.7" })).toEqual({
    counted: false,
    reason: "ip",
    rule: "203.0.113.0/24",
    explanation: "The address ::FFFF:203.0.113.7 matches the excluded entry 203.0.113.0/24.",
  });
});

test("a visit that is not counted has an explanation that a header, a log and a terminal can contain", () => {
  const rules = compileRules({ ...strict, domain: "bücher.example" }, { hosts: "subdomains" });
  const visits = [
    { ...visitor, url: `https://${"a.".repeat(900)}example.org/` },
    {
      url: "https://bücher.example/",
      userAgent: `bot "\\\r\nSet-Cookie: a=b\u001b[2J\u202eé🦊${"x".repeat(100_000)}`,
    },
  ];
  for (const visit of visits) {
    const verdict = rules.judge(visit);
    expect(verdict).toHaveProperty("explanation", expect.stringMatching(/^[ -~]{20,2000}$/));
    if (!verdict.counted && verdict.reason === "bot") {
      expect(verdict.explanation).toContain(
        'user agent "bot \\u0022\\u005c\\u000d\\u000aSet-Cookie: a=b\\u001b[2J\\u202e\\u00e9\\ud83e\\udd8axx',
      );
    }
    expect(new Headers({ why: verdict.counted ? "" : verdict.explanation }).get("why")).toContain(".");
  }
});

test("rules keep what they were compiled from, also if the lists change later", () => {
  const exclude_ips = ["203.0.113.0/24"];
  const rules = compileRules({ ...settings, exclude_ips });
  exclude_ips[0] = "10.0.0.0/8";
  expect(rules.judge({ ...visitor, ip: "203.0.113.7" })).toMatchObject({ rule: "203.0.113.0/24" });
});

test("a URL of 500,000 parameters takes a time that grows with its length", () => {
  const rules = compileRules(strict);
  const url = (part: string) => `https://example.com/?${`${part}&`.repeat(250_000)}#${"a".repeat(10_000_000)}`;
  // It takes 0.1 s. A search that begins again at each parameter takes 100 s, which no test may.
  const verdict = rules.judge({ ...visitor, url: url("a&utm_source=1") });
  expect(verdict.counted && verdict.url === url("a")).toBe(true);
});

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return expect.unreachable("nothing was thrown");
}
