import { parseDomain } from "@siteward/contract/plain";
import { CliError } from "../process/cli-error.ts";

/** How a person names a website: by its ID, or by its domain in canonical form and as it was typed, for messages. */
export type WebsiteReference = { readonly id: number } | { readonly domain: string; readonly typed: string };

/**
 * Parses the ID or the domain of a website. The domain can have any form that a create accepts, such as `Bücher.example`.
 * No domain consists of digits only, so each string has one meaning.
 *
 * @throws CliError `usage`
 */
export function parseWebsiteReference(text: string): WebsiteReference {
  const typed = text.trim();
  const isId = /^[1-9]\d*$/.test(typed) && Number.isSafeInteger(Number(typed));
  if (isId) return { id: Number(typed) };
  if (/^\d+$/.test(typed)) throw notAReference(text, "an ID is a whole number, 1 or higher");
  const parsed = parseDomain(typed);
  if (!parsed.ok) throw notAReference(text, `it ${parsed.reason}`);
  return { domain: parsed.value, typed };
}

/** Parses one more ID or domain. */
export function collectWebsiteReferences(
  text: string,
  earlier: readonly WebsiteReference[] = [],
): readonly WebsiteReference[] {
  return [...earlier, parseWebsiteReference(text)];
}

/** Returns a website as the user named it. */
export function nameOfReference(reference: WebsiteReference): string {
  return "id" in reference ? String(reference.id) : reference.typed;
}

function notAReference(text: string, reason: string): CliError {
  return new CliError(
    "usage",
    `${JSON.stringify(text)} is not the ID or domain of a website: ${reason}.`,
    "List your websites with `siteward websites list`.",
  );
}
