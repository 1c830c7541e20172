import { toCanonicalDomain } from "@siteward/sdk";
import { CliError } from "../errors/cli-error.ts";

const maxFaultsNamed = 20;

/**
 * Checks domains before anything is sent, and returns each website's once, as it was first typed.
 *
 * @throws CliError `usage` that names every string that is not a domain
 */
export function checkDomains(texts: readonly string[]): readonly string[] {
  const domains = new Map<string, string>();
  const faults: string[] = [];
  for (const text of texts) {
    const domain = canonicalize(text);
    if (domain === undefined) faults.push(JSON.stringify(text));
    else if (!domains.has(domain)) domains.set(domain, text);
  }
  if (faults.length > 0) throw notDomains(faults);
  return [...domains.values()];
}

function canonicalize(text: string): string | undefined {
  try {
    return toCanonicalDomain(text);
  } catch {
    return undefined;
  }
}

function notDomains(faults: readonly string[]): CliError {
  const rest = faults.length - maxFaultsNamed;
  const named = `${faults.slice(0, maxFaultsNamed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  return new CliError("usage", `Not a domain: ${named}. Pass host names, such as "example.com". Nothing was created.`);
}
