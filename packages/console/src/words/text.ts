import { SitewardError } from "@siteward/sdk";
import { toUnicodeDomain } from "@siteward/sdk/fields";

/** Such as `1,200`. */
export const digits = (count: number) => count.toLocaleString("en");

/** Such as `1 website` or `1,200 websites`. */
export function many(count: number, noun = "website"): string {
  return `${digits(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns a domain in Unicode. Of 50,000, most have nothing to decode. */
export const toName = (domain: string) => (domain.includes("xn--") ? toUnicodeDomain(domain) : domain);

/** How many domains are named. The others are counted. */
const maxNamed = 10;

/**
 * Returns a domain as people read it. One that is not ASCII is isolated, so that its direction turns no other text, and has
 * its ASCII form beside it, in which two that look alike differ.
 */
export function nameDomain(domain: string): string {
  const name = toName(domain);
  return name === domain ? name : `\u2068${name}\u2069 (${domain})`;
}

/** Such as `a.example, b.example and 3 more`. */
export function nameSome(domains: readonly string[]): string {
  const named = domains.slice(0, maxNamed).map(nameDomain).join(", ");
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

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const times = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A time of the API, or in milliseconds, in the time zone of the reader. */
export const toDate = (time: string | number) => dates.format(new Date(time));
export const toTime = (time: string | number) => times.format(new Date(time));
