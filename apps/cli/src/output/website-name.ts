import type { Website } from "@siteward/sdk";
import type { OutputFlags } from "./output.ts";
import { safeText } from "./safe-text.ts";

/** Names a website in a sentence: its domain as tables show it, its domain in ASCII if that differs, and its ID. */
export async function websiteName(
  { id, domain }: Pick<Website, "id" | "domain">,
  { ascii }: OutputFlags,
): Promise<string> {
  const shown = ascii === true ? safeText(domain) : await readableDomain(domain);
  return `${shown} (${shown === safeText(domain) ? "" : `${safeText(domain)}, `}ID ${id})`;
}

/** Few domains have a label in Unicode. The rules for them are loaded only then. */
async function readableDomain(domain: string): Promise<string> {
  if (!domain.includes("xn--")) return safeText(domain);
  const { domainText } = await import("./domain-text.ts");
  return domainText(domain);
}
