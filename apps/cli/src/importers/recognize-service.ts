import { isObject } from "../rows/parse-json.ts";
import { type ImporterName, importers } from "./importers.ts";

/** A service whose sites a file has. */
interface RecognizedService {
  readonly name: ImporterName;
  /** As people know it, such as "Matomo". */
  readonly service: string;
}

/** A list of people can have one field of a name that a service has too, such as the time zone of a client. */
const minOwnFields = 2;

/**
 * Recognizes another service by the fields of its answer and of the first of its sites.
 *
 * @param content an answer of its API, or one site, such as the first record of a CSV file
 */
export async function recognizeService(content: unknown): Promise<RecognizedService | undefined> {
  // Object.keys returns strings. These are the names of the importers.
  for (const name of Object.keys(importers) as ImporterName[]) {
    const { service, findSites, ownFields } = await importers[name]();
    const [site] = findSites(content) ?? [content];
    const found = new Set([...fieldsOf(content), ...fieldsOf(site)]);
    if (ownFields.filter((field) => found.has(comparable(field))).length >= minOwnFields) return { name, service };
  }
  return undefined;
}

function fieldsOf(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value).map(comparable) : [];
}

/** The header of a CSV file is read in lower case, and tables have `share_id` for the `shareId` of an API. */
function comparable(field: string): string {
  return field.toLowerCase().replaceAll("_", "");
}
