import { Privacy } from "@siteward/sdk";
import { entryGrammars, parseEntryList } from "@siteward/sdk/fields";
import { choices, type Faults, findFaults, lists, type Settings } from "../words/settings.ts";
import { isEmpty, preview, toUpdates } from "./edits.ts";
import type { Row } from "./websites.ts";

/** A model, as a person chose or pasted it: at first every field of a website. */
export const toModel = (domain: string) => ({
  ...{ isPasted: false, isExact: true, domain, texts: { exclude_ips: "", exclude_params: "" } },
  compared: Object.fromEntries([...choices, ...lists].map(({ field }) => [field, true])),
});

export type Model = ReturnType<typeof toModel>;
export type Comparison = ReturnType<typeof compare>;

/** Returns the websites that differ, those that do so in the same way together, most alike first. */
export function compare(model: Model, website: Row["website"] | undefined, rows: readonly Row[]) {
  const unknown = website === undefined ? { model: ["no website of the account has this domain"] } : undefined;
  const faults: Faults | undefined = model.isPasted ? findFaults(model.texts) : unknown;
  const wanted = faults === undefined ? readModel(model, website) : {};
  const differ = differFrom(wanted, model.isExact);
  const groups = new Map<string, ReturnType<typeof differ> & { readonly rows: Row[] }>();
  for (const row of rows) {
    const difference = differ(row.website);
    if (isEmpty(difference.edit)) continue;
    const key = JSON.stringify(difference);
    const group = groups.get(key) ?? { ...difference, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  const sorted = [...groups.values()].sort((one, other) => other.rows.length - one.rows.length);
  return { model, website, faults, wanted, groups: sorted };
}

/** Returns the values to compare with. A pasted list that is empty is not compared. */
function readModel({ isPasted, compared, texts }: Model, website: Settings | undefined): Partial<Settings> {
  if (isPasted) {
    const all = lists.map(({ field }) => [field, parseEntryList(texts[field], entryGrammars[field]).entries] as const);
    return Object.fromEntries(all.filter(([, entries]) => entries.length > 0));
  }
  // Nobody can read a password to copy it, so one leaves privacy alone.
  const isKnown = (field: string) => compared[field] && !(field === "privacy" && website?.privacy === Privacy.Password);
  const known = [...choices, ...lists].filter(({ field }) => isKnown(field));
  return Object.fromEntries(known.map(({ field }) => [field, website?.[field]]));
}

/** Returns what brings a website in line, which keeps what others add meanwhile, and the values that this changes. */
function differFrom(wanted: Partial<Settings>, isExact: boolean) {
  const all = lists.flatMap(({ field }) => (wanted[field] ? [[field, new Set(wanted[field])] as const] : []));
  const minus = (some: Iterable<string>, others: ReadonlySet<string>) =>
    [...some].filter((entry) => !others.has(entry)).sort();
  return (website: Settings) => {
    const changed = choices.filter(({ field }) => (wanted[field] ?? website[field]) !== website[field]);
    const valuesOf = (one: Partial<Settings>) => Object.fromEntries(changed.map(({ field }) => [field, one[field]]));
    const add = Object.fromEntries(all.map(([field, entries]) => [field, minus(entries, new Set(website[field]))]));
    const others = Object.fromEntries(all.map(([field, entries]) => [field, minus(website[field], entries)]));
    return { from: valuesOf(website), edit: { set: valuesOf(wanted), add, remove: isExact ? others : {} } };
  };
}

/** Returns the changes of all but the exceptions, which are IDs, and what they expose. */
export function planOf({ wanted: { privacy }, groups }: Comparison, exceptions: ReadonlySet<number>) {
  const isIn = ({ website }: Row) => !exceptions.has(website.id);
  const changes = groups.flatMap(({ rows, edit }) => toUpdates(rows.filter(isIn), edit));
  const differing = groups.flatMap(({ rows }) => rows);
  const exposed = preview(differing.filter(isIn), { set: { privacy } });
  return { changes, differ: differing.length, exposed };
}
