import { readFileSync } from "node:fs";

/** 10,000 real domains, most visited first (public domain). */
export function readRealDomains(): string[] {
  return readFileSync(new URL("../../data/top-domains.txt", import.meta.url), "utf8")
    .trim()
    .split("\n");
}

/** How a line of a list is made invalid, and what the refusal must say about it. */
export interface Spoiling {
  readonly spoil: (domain: string, index: number) => string;
  readonly reason: RegExp;
  /** What to send instead: the domain itself if it can be recognized. */
  readonly remedy: (domain: string) => string;
}

const anyHostName = () => 'send a host name such as "example.com"';
const domainItself = (domain: string) => `send "${domain}"`;

/** Ways in which lines of real lists are invalid. */
export const spoilings = {
  scheme: { spoil: (domain) => `ftp://${domain}`, reason: /contains a scheme/, remedy: domainItself },
  path: { spoil: (domain, index) => `${domain}/page/${index}`, reason: /contains a path/, remedy: domainItself },
  underscore: { spoil: (domain) => `my_${domain}`, reason: /contains an underscore/, remedy: anyHostName },
  "control character": {
    spoil: (domain, index) => `${domain.slice(0, 2)}${String.fromCharCode(1 + (index % 8))}${domain.slice(2)}`,
    reason: /contains a control character/,
    remedy: anyHostName,
  },
} as const satisfies Record<string, Spoiling>;
