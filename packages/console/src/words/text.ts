import { SitewardError } from "@siteward/sdk";
import { toUnicodeDomain } from "@siteward/sdk/fields";

/** Such as `1 website` or `1,200 websites`. */
export function many(count: number, noun = "website"): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** How many domains are named. The others are counted. */
const maxNamed = 10;

/** Such as `a.example, b.example and 3 more`. */
export function nameSome(domains: readonly string[]): string {
  const named = domains.slice(0, maxNamed).map(toUnicodeDomain).join(", ");
  return domains.length > maxNamed ? `${named} and ${domains.length - maxNamed} more` : named;
}

/** Returns an error in the words of the API. */
export function say(error: unknown): string {
  if (error instanceof SitewardError && "detail" in error && typeof error.detail === "string") return error.detail;
  return error instanceof Error ? error.message : String(error);
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
