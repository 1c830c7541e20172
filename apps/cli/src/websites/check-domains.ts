import { parseDomain } from "@siteward/contract/plain";
import { withList } from "../output/lists.ts";
import { CliError } from "../process/cli-error.ts";

/**
 * Checks domains before anything is sent, and returns each website's once, as it was first typed.
 *
 * @throws CliError `usage` that says what is wrong with each string that is not a domain
 */
export function checkDomains(texts: readonly string[]): readonly string[] {
  const domains = new Map<string, string>();
  const faults: string[] = [];
  for (const text of texts) {
    const parsed = parseDomain(text);
    if (!parsed.ok) faults.push(`${JSON.stringify(text)} ${parsed.reason}`);
    else if (!domains.has(parsed.value)) domains.set(parsed.value, text);
  }
  if (faults.length > 0) throw notDomains(faults, texts.length);
  return [...domains.values()];
}

function notDomains(faults: readonly string[], count: number): CliError {
  const notValid = `${faults.length} of ${count} domains ${faults.length === 1 ? "is" : "are"} not valid.`;
  return new CliError("usage", withList(`Nothing was created: ${notValid}`, faults));
}
