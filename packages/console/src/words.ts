import { SitewardError } from "@siteward/sdk";

/** Such as `1 website` or `1,200 websites`. */
export function many(count: number, noun = "website"): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns an error in the words of the API. */
export function say(error: unknown): string {
  if (error instanceof SitewardError && "detail" in error && typeof error.detail === "string") return error.detail;
  return error instanceof Error ? error.message : String(error);
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
