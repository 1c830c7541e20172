import type { WebsiteSettings } from "@siteward/contract/website-settings";
import { faultsOf, isStated, type Reading } from "./reading.ts";
import { settingReaders } from "./setting-readers.ts";

/** Reads the settings that an entry, or the defaults of a file, state. Other fields are ignored. */
export function readSettings(fields: Readonly<Record<string, unknown>>): Reading<Partial<WebsiteSettings>> {
  const readings = Object.entries(settingReaders)
    .filter(([field]) => isStated(fields[field]))
    .map(([field, read]) => [field, read(fields[field])] as const);
  const faults = readings.flatMap(([field, reading]) => faultsOf(reading).map((fault) => `${field} ${fault}`));
  if (faults.length > 0) return { faults };
  const values = readings.flatMap(([field, reading]) => ("value" in reading ? [[field, reading.value]] : []));
  // By the type of the readers, each value is one of its field.
  return { value: Object.fromEntries(values) as Partial<WebsiteSettings> };
}
