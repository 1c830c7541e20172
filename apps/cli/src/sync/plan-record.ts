import type { WebsiteSettings } from "@siteward/contract/website-settings";
import type { PasswordSource } from "../entries/website-entry.ts";
import type { Column } from "../output/view.ts";
import { completeSettings, pickSettings } from "../settings/complete-settings.ts";
import { settingNames } from "../settings/settings.ts";
import type { Change } from "./change.ts";
import type { Plan } from "./compute-plan.ts";
import { placeText } from "./place-text.ts";

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
export function toPlanRecord({ changes, unchanged, unlisted }: Plan): PlanRecord {
  const count = (action: Change["action"]): number => changes.filter((change) => change.action === action).length;
  return {
    create: count("create"),
    update: count("update"),
    delete: count("delete"),
    unchanged,
    not_in_file: unlisted,
    changes: changes.map(toChangeRecord),
  };
}

function toChangeRecord(change: Change): ChangeRecord {
  const { action, domain } = change;
  if (action === "delete") {
    const { website } = change;
    return {
      action,
      domain,
      id: website.id,
      place: null,
      before: completeSettings(website),
      after: null,
      password: null,
    };
  }
  const { password = null } = change;
  const place = placeText(change.place);
  const stated = { action, domain, place, password };
  if (change.action === "create") return { ...stated, id: null, before: null, after: change.settings };
  const { website, settings } = change;
  const changed = settingNames.filter((name) => settings[name] !== undefined);
  return { ...stated, id: website.id, before: pickSettings(website, changed), after: settings };
}
