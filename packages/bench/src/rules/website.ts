import type { RuleSettings, Visit } from "@siteward/rules";

/** A website with lists of the largest size: half of the entries are networks, a fifth is IPv6, and a quarter of the names is prefixes. */
export const fullWebsite: RuleSettings = {
  domain: "example.com",
  exclude_bots: 1,
  exclude_params: Array.from({ length: 100 }, (_, index) => (index % 4 === 0 ? `p${index}_*` : `param${index}`)),
  exclude_ips: Array.from({ length: 500 }, (_, index) => {
    const [high, low] = [index >> 8, index & 255];
    const forms = [
      `10.${high}.${low}.0/24`,
      `192.${high}.${low}.*`,
      `198.51.${high}.${low}`,
      `203.0.${high}.${low}`,
      `2001:db8:${index.toString(16)}::/48`,
    ];
    return forms[index % forms.length] ?? "";
  }),
};

const visitCount = 10_000;
/** As many user agents as the rules remember at once. */
const userAgentCount = 500;

/** Visits of people, of which all are counted: each entry is compared. A tenth comes over IPv6. One of four parameters is excluded. */
export const visits: readonly Visit[] = Array.from({ length: visitCount }, (_, index) => ({
  url: `https://example.com/blog/article-${index}?utm_source=mail&param${index % 120}=x&page=${index}&q=some+words#c${index}`,
  ip: index % 10 === 0 ? `2001:db8:ffff::${index.toString(16)}` : `203.${1 + (index % 250)}.113.${index % 200}`,
  userAgent: userAgentOf(index % userAgentCount),
}));

export function userAgentOf(number: number): string {
  const version = 100 + (number % 40);
  return `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.${number}.0 Safari/537.36`;
}
