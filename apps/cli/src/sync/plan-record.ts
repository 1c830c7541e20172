import { jsonText } from "../output/json.ts";
import type { Column } from "../output/view.ts";
import { completeSettings, settingNames } from "../websites/settings.ts";
import type { Planned } from "./decide.ts";
import { exposureOf } from "./exposure.ts";
import { countChanges, type Plan } from "./plan.ts";
import { placeText } from "./problems.ts";

/** How a plan is shown as a table, if fields of it are requested. */
export const planView = {
  create: { title: "To create", inList: true },
  update: { title: "To update", inList: true },
  delete: { title: "To delete", inList: true },
  unchanged: { title: "Unchanged", inList: true },
  not_in_file: { title: "Not in the file", inList: true },
  opened: { title: "Becomes public", inList: true },
  passwords_deleted: { title: "Passwords deleted", inList: true },
  changes: { title: "Changes", inList: false },
} satisfies Record<keyof ReturnType<typeof toPlanRecord>, Column>;

/** Returns a plan as programs get it: its counts, and every change. */
export function toPlanRecord(plan: Plan) {
  return { ...countsOf(plan), changes: plan.changes.map(toChangeRecord) };
}

/** Formats the record change by change: all at once, those of 100,000 websites take 150 MB more. */
export function* planJson(plan: Plan): Generator<string> {
  const counts = jsonText(countsOf(plan), 2).slice(0, -"\n}".length);
  yield `${counts},\n  "changes": [`;
  for (const [index, change] of plan.changes.entries()) {
    // A string of JSON has no line break, so each of them is the end of a line.
    const lines = jsonText(toChangeRecord(change), 2).replaceAll("\n", "\n    ");
    yield `${index === 0 ? "" : ","}\n    ${lines}`;
  }
  yield plan.changes.length === 0 ? "]\n}\n" : "\n  ]\n}\n";
}

function countsOf(plan: Plan) {
  const { opened, passwords } = exposureOf(plan.changes);
  const exposed = { opened: opened.length, passwords_deleted: passwords.length };
  return { ...countChanges(plan), unchanged: plan.unchanged, not_in_file: plan.unlisted, ...exposed };
}

/**
 * Returns a change with the values of the HTTP interface. `before` and `after` have the settings that change: a create
 * has no `id` and nothing before, a delete no `place` and nothing after. `password` is where the password comes from,
 * if one is sent.
 */
function toChangeRecord(change: Planned) {
  const { action, domain, place, password = null } = change;
  const id = action === "create" ? null : change.id;
  const named = { action, domain, id, place: place === undefined ? null : placeText(place) };
  if (action === "create") return { ...named, before: null, after: change.set, password };
  const { website } = change.only;
  if (action === "delete") return { ...named, before: completeSettings(website), after: null, password };
  const { set: after } = change.edit;
  const changed = settingNames.filter((name) => after[name] !== undefined);
  return { ...named, before: Object.fromEntries(changed.map((name) => [name, website[name]])), after, password };
}
