import { Privacy } from "@siteward/sdk";
import type { Edit } from "@siteward/sdk/bulk";
import { entryGrammars, parseEntryList } from "@siteward/sdk/fields";
import { choices, differ, type Faults, findFaults, lists, type Settings } from "../words/settings.ts";
import { isEmpty, preview, toUpdates } from "./edits.ts";
import type { Row } from "./websites.ts";

/** A model, as a person chose or pasted it: at first every field of a website. */
export const toModel = (domain: string) => ({
  ...{ isPasted: false, isExact: true, domain, texts: { exclude_ips: "", exclude_params: "" } },
  compared: Object.fromEntries([...choices, ...lists].map(({ field }) => [field, true])),
});

export type Model = ReturnType<typeof toModel>;
export type Comparison = ReturnType<typeof compare>;
/** Websites that differ in the same way, and what brings them in line. */
export type Group = Readonly<{ rows: readonly Row[]; edit: Edit }>;

/** Returns the websites that differ, those that do so in the same way together, most alike first. */
export function compare(model: Model, website: Row | undefined, rows: readonly Row[]) {
  const unknown = website === undefined ? { model: ["no website of the account has this domain"] } : undefined;
  const faults: Faults | undefined = model.isPasted ? findFaults(model.texts) : unknown;
  const wanted = faults === undefined ? readModel(model, website) : {};
  const alike = [...Map.groupBy(rows, keyFor(wanted, model.isExact)).values()];
  const groups = alike.map((some): Group => {
    const edit = differ(some[0] ?? {}, wanted);
    return { rows: some, edit: model.isExact ? edit : { ...edit, remove: {} } };
  });
  const differing = groups.filter(({ edit }) => !isEmpty(edit));
  differing.sort((one, other) => other.rows.length - one.rows.length);
  return { model, website, faults, wanted, groups: differing };
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

/** Returns what is the same for websites that differ in the same way. */
function keyFor(wanted: Partial<Settings>, isExact: boolean) {
  const values = choices.filter(({ field }) => wanted[field] !== undefined);
  const sets = lists.flatMap(({ field }) => (wanted[field] ? [[field, new Set(wanted[field])] as const] : []));
  return (row: Row) => {
    const own = sets.map(([field, set]) => row[field].filter((entry) => isExact || set.has(entry)).sort());
    return JSON.stringify([...values.map(({ field }) => row[field]), ...own]);
  };
}

/** Returns the changes of all but the exceptions, which are IDs, and what they expose. */
export function planOf({ wanted: { privacy }, groups }: Comparison, exceptions: ReadonlySet<number>) {
  const isIn = ({ id }: Row) => !exceptions.has(id);
  const changes = groups.flatMap(({ rows, edit }) => toUpdates(rows.filter(isIn), edit));
  const differing = groups.flatMap(({ rows }) => rows);
  const { exposed } = preview(differing.filter(isIn), { set: { privacy } });
  return { changes, differ: differing.length, exposed };
}
