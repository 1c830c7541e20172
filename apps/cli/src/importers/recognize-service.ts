import { isObject } from "../rows/parse-json.ts";
import { type ImporterName, importers } from "./importers.ts";

/** A service whose sites a file has. */
interface RecognizedService {
  readonly name: ImporterName;
  /** As people know it, such as "Matomo". */
  readonly service: string;
}

/**
 * Recognizes another service by the fields of the first of its sites.
 *
 * @param content an answer of its API, or one site, such as the first record of a CSV file
 */
export async function recognizeService(content: unknown): Promise<RecognizedService | undefined> {
  // Object.keys returns strings. These are the names of the importers.
  for (const name of Object.keys(importers) as ImporterName[]) {
    const { service, findSites, recognizes } = await importers[name]();
    const [site] = findSites(content) ?? [content];
    if (isObject(site) && recognizes(site)) return { name, service };
  }
  return undefined;
}
