import { isApiError, type Siteward, type Website } from "@siteward/sdk";
import { type ChoiceField, changesBetween, type ListField, lists, type Settings, toLines } from "./settings.ts";
import { readVersion, type Version } from "./version.ts";

/** A change of many websites: values to set, entries to add and to remove. So it can be made on any version of a website. */
export interface Change {
  readonly values: Partial<Readonly<Record<ChoiceField, number>>>;
  readonly added: Readonly<Record<ListField, string>>;
  readonly removed: Readonly<Record<ListField, ReadonlySet<string>>>;
}

export const noChange: Change = {
  values: {},
  added: { exclude_ips: "", exclude_params: "" },
  removed: { exclude_ips: new Set(), exclude_params: new Set() },
};

/** Returns what a change makes of a website: only what differs. */
type Apply = (settings: Settings) => Partial<Settings>;

export function compile({ values, added, removed }: Change): Apply {
  const more = lists.map(({ field }) => [field, toLines(added[field])] as const);
  return (settings) => {
    const changed = more.map(([field, entries]) => {
      const kept = settings[field].filter((entry) => !removed[field].has(entry));
      return [field, [...new Set([...kept, ...entries])]];
    });
    return changesBetween(settings, { ...settings, ...values, ...Object.fromEntries(changed) });
  };
}

/** A change that was made, with what is needed to take it back. */
export interface Made {
  readonly before: Website;
  readonly changes: Partial<Settings>;
  readonly tag: string;
}

/** How often a website is read again that others keep changing. */
const maxTries = 5;

/** Changes a website. If it has changed since it was read, it is read again, and the change is decided anew. */
export async function changeOne(
  client: Siteward,
  { website, tag }: Version,
  apply: Apply,
  waitSignal: AbortSignal,
  triesLeft = maxTries,
): Promise<Made> {
  const changes = apply(website);
  try {
    const sent = client.websites.update(website.id, changes, { ifMatch: tag, waitSignal });
    const { response } = await sent.withResponse();
    return { before: website, changes, tag: response.etag ?? "" };
  } catch (error) {
    if (!isApiError(error, "precondition_failed") || triesLeft === 0) throw error;
    return changeOne(client, await readVersion(client, website.id), apply, waitSignal, triesLeft - 1);
  }
}

/** Writes the earlier values of a website. Returns false if somebody has changed it since, and leaves it alone then. */
export async function restore(client: Siteward, { before, changes, tag }: Made, signal: AbortSignal): Promise<boolean> {
  const { privacy, ...others } = changesBetween({ ...before, ...changes }, before);
  // A password that was deleted cannot be set again.
  const values = privacy === undefined || privacy === 2 ? others : { ...others, privacy };
  try {
    await client.websites.update(before.id, values, { ifMatch: tag, waitSignal: signal });
    return true;
  } catch (error) {
    if (isApiError(error, "precondition_failed")) return false;
    throw error;
  }
}
