import type { WebsiteSettings } from "@siteward/contract/plain";
import type { PasswordSource } from "../files/entry.ts";
import { jsonText } from "../output/json.ts";
import type { Column } from "../output/view.ts";
import { completeSettings, pickSettings } from "../websites/complete-settings.ts";
import { settingNames } from "../websites/settings.ts";
import { type Change, idOf } from "./decide.ts";
import type { Plan } from "./plan.ts";
import { placeText } from "./problems.ts";

/** A plan for programs. */
interface PlanRecord {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly unchanged: number;
  /** How many websites of the account are not in the file and stay as they are. */
  readonly not_in_file: number;
  readonly changes: readonly ChangeRecord[];
}

/** A change for programs. Settings have the values of the HTTP interface. */
interface ChangeRecord {
  readonly action: Change["action"];
  readonly domain: string;
  /** Null for a create. */
  readonly id: number | null;
  /** Where the file lists the website, such as "line 4"; null for a delete. */
  readonly place: string | null;
  /** The settings that change, as they are; null for a create. */
  readonly before: Partial<WebsiteSettings> | null;
  /** The same settings as they will be; null for a delete. */
  readonly after: Partial<WebsiteSettings> | null;
  /** Where the password comes from, if one is sent. */
  readonly password: PasswordSource | null;
}

/** How a plan is shown as a table, if fields of it are requested. */
export const planView = {
  create: { title: "To create", inList: true },
  update: { title: "To update", inList: true },
  delete: { title: "To delete", inList: true },
  unchanged: { title: "Unchanged", inList: true },
  not_in_file: { title: "Not in the file", inList: true },
  changes: { title: "Changes", inList: false },
} satisfies Record<keyof PlanRecord, Column>;

/** Returns a plan as programs get it. */
export function toPlanRecord(plan: Plan): PlanRecord {
  return { ...countChanges(plan), changes: plan.changes.map(toChangeRecord) };
}

/** Formats the record as indented JSON, change by change: all at once, those of 100,000 websites take 150 MB more. */
export function* planJson(plan: Plan): Generator<string> {
  const counts = jsonText(countChanges(plan), 2).slice(0, -"\n}".length);
  yield `${counts},\n  "changes": [`;
  for (const [index, change] of plan.changes.entries()) {
    // A string of JSON has no line break, so each of them is the end of a line.
    const lines = jsonText(toChangeRecord(change), 2).replaceAll("\n", "\n    ");
    yield `${index === 0 ? "" : ","}\n    ${lines}`;
  }
  yield plan.changes.length === 0 ? "]\n}\n" : "\n  ]\n}\n";
}

function countChanges({ changes, unchanged, unlisted }: Plan): Omit<PlanRecord, "changes"> {
  const count = (action: Change["action"]): number => changes.filter((change) => change.action === action).length;
  return {
    create: count("create"),
    update: count("update"),
    delete: count("delete"),
    unchanged,
    not_in_file: unlisted,
  };
}

function toChangeRecord(change: Change): ChangeRecord {
  const { action, domain, place } = change;
  const named = { action, domain, id: idOf(change) ?? null, place: place === undefined ? null : placeText(place) };
  if (action === "delete") return { ...named, before: completeSettings(change.website), after: null, password: null };
  const { settings, password = null } = change;
  if (action === "create") return { ...named, before: null, after: settings, password };
  const changed = settingNames.filter((name) => settings[name] !== undefined);
  return { ...named, before: pickSettings(change.website, changed), after: settings, password };
}
