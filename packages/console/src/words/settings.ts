import { EmailReports, ExcludeBots, Privacy, type UpdateWebsite, type Website } from "@siteward/sdk";
import type { Edit } from "@siteward/sdk/bulk";
import { entryGrammars, type listFields, parseEntryList, passwordLength } from "@siteward/sdk/fields";
import { capitalize } from "./text.ts";

export type ListField = (typeof listFields)[number];
export type ChoiceField = Exclude<keyof UpdateWebsite, ListField | "password">;
export type Settings = Pick<Website, ChoiceField> & Readonly<Record<ListField, readonly string[]>>;
/** What a form contains. Lists are text, so that nothing that was typed is lost. */
export type Draft = Pick<Website, ChoiceField> & Readonly<Record<ListField | "password", string>>;
/** What is wrong, by field. */
export type Faults = Readonly<Record<string, readonly string[]>>;

interface Choice<Value extends number = number> {
  readonly label: string;
  readonly short: string;
  /** The name of each value. */
  readonly names: Readonly<Record<Value, string>>;
}

/** One row for each setting. Forms, the table, filters, changes, comparisons and exports all follow from it. */
const choiceRows: { readonly [Field in ChoiceField]: Choice<Website[Field]> } = {
  privacy: {
    label: "Who may see the statistics",
    short: "Statistics",
    names: { [Privacy.Public]: "Public", [Privacy.Private]: "Private", [Privacy.Password]: "Password" },
  },
  email: {
    label: "E-mail reports",
    short: "E-mail",
    names: { [EmailReports.Disabled]: "Off", [EmailReports.Enabled]: "On" },
  },
  exclude_bots: {
    label: "Bots",
    short: "Bots",
    names: { [ExcludeBots.Disabled]: "Counted", [ExcludeBots.Enabled]: "Ignored" },
  },
};

interface List {
  readonly label: string;
  readonly noun: string;
  readonly help: string;
}

const listRows: Readonly<Record<ListField, List>> = {
  exclude_ips: {
    label: "excluded IP addresses",
    noun: "IP",
    help: "One per line: 203.0.113.7, 203.0.113.0/24, 203.0.113.* or 2001:db8::/32.",
  },
  exclude_params: {
    label: "excluded URL parameters",
    noun: "param",
    help: "One per line: a name, or a prefix such as utm_*. They are removed from the URL.",
  },
};

// Object.entries loses the type of its keys, which are those of the rows.
export const choices = Object.entries(choiceRows).map(([field, row]: [string, Choice]) => ({
  field: field as ChoiceField,
  ...row,
}));
export const lists = Object.entries(listRows).map(([name, row]) => {
  const field = name as ListField;
  return { field, ...row, limit: entryGrammars[field].maxEntries };
});

export const passwordHelp = `${passwordLength.min} to ${passwordLength.max} characters. It is never shown again.`;

/** The label of each field, also of those that are no setting. */
export const labels: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...choices, ...lists].map(({ field, label }) => [field, capitalize(label)])),
  password: "Password",
};

export function toDraft(settings: Settings): Draft {
  const values = choices.map(({ field }) => [field, settings[field]]);
  const texts = lists.map(({ field }) => [field, settings[field].join("\n")]);
  // There is a row for each setting.
  return { ...Object.fromEntries([...values, ...texts]), password: "" } as Draft;
}

export function toSettings({ password: _, ...draft }: Draft): Settings {
  const entries = lists.map(({ field }) => [field, toLines(draft[field])]);
  // There is a row for each list.
  return { ...draft, ...Object.fromEntries(entries) } as Settings;
}

/** Returns the password that was typed, as a field to send, if it is that of the choice. */
export function toPassword({ privacy, password }: Draft): { readonly password?: string } {
  return privacy === Privacy.Password && password !== "" ? { password } : {};
}

export function toLines(text: string): string[] {
  const lines = text.split(/[\n,]/).map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

/** Returns what the service would refuse in lists and a password, by the rules of its contract. */
export function findFaults(
  { privacy, password = "", ...texts }: Partial<Draft>,
  hasPassword = false,
): Faults | undefined {
  const wrong = lists.map(
    ({ field }) => [field, parseEntryList(texts[field] ?? "", entryGrammars[field]).faults] as const,
  );
  const length = [...password].length;
  // One that was typed for another choice is not sent.
  const isFree = privacy !== Privacy.Password || (length === 0 && hasPassword);
  const isRight = isFree || (length >= passwordLength.min && length <= passwordLength.max);
  const all = [...wrong, ["password", isRight ? [] : [`is ${length} characters long; type ${passwordHelp}`]] as const];
  const faults = all.filter(([, messages]) => messages.length > 0);
  return faults.length > 0 ? Object.fromEntries(faults) : undefined;
}

/** Returns what makes `to`, which has the fields that count, of `from`. Lists keep what others add meanwhile. */
export function differ(from: Partial<Settings>, to: Partial<Settings>) {
  const changed = choices.filter(({ field }) => (to[field] ?? from[field]) !== from[field]);
  const known = lists.filter(({ field }) => to[field] !== undefined);
  const more = (some: Partial<Settings>, than: Partial<Settings>) =>
    Object.fromEntries(known.map(({ field }) => [field, minus(some[field] ?? [], new Set(than[field]))]));
  const set = Object.fromEntries(changed.map(({ field }) => [field, to[field]]));
  return { set, add: more(to, from), remove: more(from, to) } satisfies Edit;
}

const minus = (some: readonly string[], others: ReadonlySet<string>) => some.filter((entry) => !others.has(entry));

/** Applies what was changed between two versions to a third. */
export function rebase(from: Settings, mine: Settings, theirs: Settings): Settings {
  const { set, add, remove } = differ(from, mine);
  const merged = lists.map(({ field }) => {
    const kept = minus(theirs[field], new Set(remove[field]));
    return [field, [...new Set([...kept, ...(add[field] ?? [])])]];
  });
  return { ...theirs, ...set, ...Object.fromEntries(merged) };
}

/** How many entries are named. The others are counted. */
const maxNamed = 6;

/** Returns an edit in few words: `Statistics: Public → Private`, `IPs: + 198.51.100.7 − 192.0.2.1`. */
export function describeEdit({ set, add = {}, remove = {} }: Edit, from: Partial<Settings> = {}): string[] {
  const values = choices.flatMap(({ field, short, names }) => {
    const [before, after] = [from[field], set?.[field]];
    return after === undefined ? [] : `${short}: ${before === undefined ? "" : `${names[before]} → `}${names[after]}`;
  });
  const entries = lists.flatMap(({ field, noun }) => {
    const added = (add[field] ?? []).flatMap(toLines).map((entry) => ` + ${entry}`);
    const all = [...added, ...(remove[field] ?? []).map((entry) => ` − ${entry}`)];
    const more = all.length > maxNamed ? ` and ${all.length - maxNamed} more` : "";
    return all.length === 0 ? [] : [`${noun}s:${all.slice(0, maxNamed).join("")}${more}`];
  });
  return [...values, ...entries];
}

export const summarize = (from: Partial<Settings>, to: Partial<Settings>) => describeEdit(differ(from, to), from);
