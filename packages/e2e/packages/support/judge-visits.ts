import { compileRules } from "@siteward/rules";

/** Prints what comes of visits whose URL, address or bot a runtime may read in its own way. Runs next to the installed package. */
const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const url = "https://bücher.example/";
const visits = [
  ...["", "?", "?utm_source=1&b=%zz&gr%C3%B6%C3%9Fe=2#a?utm_=1", "?a+b&utm%5Fx&&c;utm_=1", "?%ed%a0%80=1&größe"].map(
    (query) => ({ url: url + query, userAgent }),
  ),
  ...[
    "WWW.Bücher.example.:8443",
    "user:p@xn--bcher-kva.example",
    "[::1]",
    "exam ple",
    "xn--bcher-kva.example:99999",
  ].map((host) => ({ url: `https://${host}/`, userAgent })),
  ...["203.0.113.7", "::ffff:cb00:7109", "2001:db8::9", "203.0.113.07", "1::2::3", "[::1]:80", "fe80::1%1"].map(
    (ip) => ({
      ...{ url, ip, userAgent },
    }),
  ),
  { url, userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" },
];
const rules = compileRules({
  ...{ domain: "Bücher.example", exclude_bots: 1 },
  ...{ exclude_params: ["utm_*", "größe"], exclude_ips: ["203.0.113.*", "2001:db8::/32"] },
});
for (const visit of visits) {
  try {
    console.log(JSON.stringify(rules.judge(visit)));
  } catch (error) {
    console.log(String(error));
  }
}
