import type { Website } from "@siteward/sdk";

/** One row for each setting of a website. Forms, the table, the preview of a change and what differs all follow from it. */
export const choices = [
  {
    field: "privacy",
    label: "Who may see the statistics",
    short: "Statistics",
    options: ["Public", "Private", "Password"],
  },
  { field: "email", label: "E-mail reports", short: "E-mail", options: ["Off", "On"] },
  { field: "exclude_bots", label: "Bots", short: "Bots", options: ["Counted", "Ignored"] },
] as const;

export const lists = [
  {
    field: "exclude_ips",
    label: "Excluded IP addresses",
    noun: "IP",
    limit: 500,
    help: "One per line: 203.0.113.7, 203.0.113.0/24, 203.0.113.* or 2001:db8::/32.",
  },
  {
    field: "exclude_params",
    label: "Excluded URL parameters",
    noun: "param",
    limit: 100,
    help: "One per line: a name, or a prefix such as utm_*. They are removed from the URL.",
  },
] as const;

/** The label of each field, also of those that are no setting. */
export const labels: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...choices, ...lists].map(({ field, label }) => [field, label])),
  password: "Password",
};

export type ChoiceField = (typeof choices)[number]["field"];
export type ListField = (typeof lists)[number]["field"];
export type Settings = Pick<Website, ChoiceField | ListField>;
/** What a form contains. Lists are text, so that nothing that was typed is lost. */
export type Draft = Pick<Website, ChoiceField> & Readonly<Record<ListField | "password", string>>;

/** What the API says is wrong, by field. */
export type Faults = Readonly<Record<string, readonly string[]>>;

/** What the service gives a new website. */
export const defaults: Settings = { privacy: 0, email: 0, exclude_bots: 1, exclude_params: [], exclude_ips: [] };

export function toDraft({ privacy, email, exclude_bots, exclude_ips, exclude_params }: Settings): Draft {
  const texts = { exclude_ips: exclude_ips.join("\n"), exclude_params: exclude_params.join("\n") };
  return { privacy, email, exclude_bots, ...texts, password: "" };
}

export function toSettings({ password: _, exclude_ips, exclude_params, ...rest }: Draft): Settings {
  return { ...rest, exclude_ips: toLines(exclude_ips), exclude_params: toLines(exclude_params) };
}

/** Returns the password that was typed, as a field to send, if it is that of the choice. */
export function toPassword({ privacy, password }: Draft): { readonly password?: string } {
  return privacy === 2 && password !== "" ? { password } : {};
}

export function toLines(text: string): string[] {
  const lines = text.split(/[\n,]/).map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

/** Applies what was changed between two versions to a third. Lists keep what others have added. */
export function rebase(from: Settings, mine: Settings, theirs: Settings): Settings {
  const changed = choices.filter(({ field }) => from[field] !== mine[field]).map(({ field }) => [field, mine[field]]);
  const merged: Settings = { ...theirs, ...Object.fromEntries(changed) };
  for (const { field } of lists) {
    const kept = theirs[field].filter((entry) => mine[field].includes(entry) || !from[field].includes(entry));
    merged[field] = [...new Set([...kept, ...mine[field].filter((entry) => !from[field].includes(entry))])];
  }
  return merged;
}

export function describeChanges(from: Settings, to: Settings): string[] {
  const values = choices.filter(({ field }) => from[field] !== to[field]);
  return [
    ...values.map(({ field, label, options }) => `${label}: ${options[from[field]]} → ${options[to[field]]}`),
    ...lists.flatMap(({ field, label }) => [
      ...to[field].filter((entry) => !from[field].includes(entry)).map((entry) => `${label}: ${entry} added`),
      ...from[field].filter((entry) => !to[field].includes(entry)).map((entry) => `${label}: ${entry} removed`),
    ]),
  ];
}
