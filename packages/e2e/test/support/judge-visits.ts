import type { compileRules as Compile } from "@siteward/rules";

const userAgents = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "",
];
const hosts = [
  "bücher.example",
  "WWW.Bücher.example.:8443",
  "blog.xn--bcher-kva.example",
  "user:p@xn--bcher-kva.example",
  "[::1]",
  "exam ple",
  "xn--bcher-kva.example:99999",
];
const queries = [
  "",
  "?",
  "?utm_source=1&b=%zz&gr%C3%B6%C3%9Fe=2#a?utm_=1",
  "?a+b&utm%5Fx&&c;utm_=1",
  "?%ed%a0%80=1&größe",
];
const addresses = [
  "203.0.113.7",
  "::ffff:cb00:7109",
  "2001:db8::9",
  "::1",
  "203.0.113.07",
  "1::2::3",
  "[::1]:80",
  "fe80::1%1",
];

/** Judges visits of every kind, and returns what came of each. Every runtime runs this file, so it imports nothing. */
export function judgeVisits(compileRules: typeof Compile): unknown[] {
  const website = {
    domain: "Bücher.example",
    exclude_bots: 1,
    exclude_params: ["utm_*", "größe"],
    exclude_ips: ["203.0.113.*", "2001:db8::/32"],
  } as const;
  const rules = [compileRules(website), compileRules(website, { hosts: "subdomains" })];
  const visits = [
    ...hosts.flatMap((host) => queries.map((query) => ({ url: `https://${host}/${query}`, userAgent: userAgents[0] }))),
    ...addresses.map((ip) => ({ url: "https://bücher.example/", ip, userAgent: userAgents[0] })),
    ...userAgents.map((userAgent) => ({ url: "https://bücher.example/", userAgent })),
  ];
  return rules.flatMap((one) =>
    visits.map((visit) => {
      try {
        return one.judge(visit);
      } catch (error) {
        return String(error);
      }
    }),
  );
}
