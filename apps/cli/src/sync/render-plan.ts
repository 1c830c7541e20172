import { styleText } from "node:util";
import type { WebsiteSettings } from "@siteward/contract/website-settings";
import type { PasswordSource } from "../entries/website-entry.ts";
import { domainText } from "../output/domain-text.ts";
import { safeText } from "../output/safe-text.ts";
import { completeSettings } from "../settings/complete-settings.ts";
import { readableSetting } from "../settings/readable-setting.ts";
import { isListName, type ListName, type SettingName, settingNames } from "../settings/settings.ts";
import type { Change, Creation, Update } from "./change.ts";
import type { Plan } from "./compute-plan.ts";
import { describeSharedChanges, listNames } from "./describe-shared-changes.ts";
import { diffEntries } from "./diff-entries.ts";

/** A line of a plan. Its action decides the color. */
interface Line {
  readonly action?: Change["action"];
  readonly text: string;
}

const signs = { create: "+", update: "~", delete: "-" } as const satisfies Record<Change["action"], string>;
const colors = { create: "green", update: "yellow", delete: "red" } as const satisfies Record<Change["action"], string>;

/** How many entries of a list are shown: 500 networks must not hide the other changes. */
const maxEntries = 50;

/** How a plan looks. */
interface PlanLook {
  readonly color: boolean;
  /** Whether to show domains in ASCII instead of Unicode. */
  readonly ascii: boolean;
}

/** Formats a plan for people: a line for each website, what changes below it, and a summary. */
export function renderPlan(plan: Plan, look: PlanLook): string {
  const changes = plan.changes.flatMap((change) => linesOf(change, look)).map((line) => `${paint(line, look)}\n`);
  return [
    ...changes,
    ...(changes.length === 0 ? [] : ["\n"]),
    ...describeSharedChanges(plan.changes).map((text) => `${text}\n`),
    `${summarizePlan(plan)}\n`,
    ...describeUnlisted(plan),
  ].join("");
}

/** Returns what a plan does, in two sentences. */
function summarizePlan({ changes, unchanged }: Plan): string {
  const counts = Object.keys(signs).flatMap((action) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? [] : [`${count} to ${action}`];
  });
  const plan = counts.length === 0 ? "No changes" : `Plan: ${counts.join(", ")}`;
  return `${plan}. ${unchanged} ${unchanged === 1 ? "website is" : "websites are"} as in the file.`;
}

function describeUnlisted({ unlisted }: Plan): readonly string[] {
  if (unlisted === 0) return [];
  const websites =
    unlisted === 1 ? "1 website is not in the file and stays" : `${unlisted} websites are not in the file and stay`;
  return [`${websites} as ${unlisted === 1 ? "it is" : "they are"}. --prune deletes what is not in the file.\n`];
}

function linesOf(change: Change, look: PlanLook): readonly Line[] {
  const head = headOf(change, look);
  switch (change.action) {
    case "create":
      return [head, ...settingsOf(change), ...passwordOf(change)];
    case "update":
      return [head, ...changesOf(change), ...passwordOf(change)];
    case "delete":
      return [head];
  }
}

function headOf(change: Change, { ascii }: PlanLook): Line {
  const domain = ascii ? change.domain : domainText(change.domain);
  const id = change.action === "create" ? "" : ` (ID ${change.website.id})`;
  return { action: change.action, text: `${signs[change.action]} ${domain}${id}` };
}

/** Lists only the settings that a website does not have if it is created with its domain alone. */
function settingsOf({ action, settings }: Creation): readonly Line[] {
  const [stated, defaults] = [completeSettings(settings), completeSettings({})];
  return settingNames
    .filter((name) => valueText(name, stated) !== valueText(name, defaults))
    .map((name) => ({ action, text: `    ${name}: ${valueText(name, stated)}` }));
}

function changesOf({ action, website, settings, lists = {} }: Update): readonly Line[] {
  const wanted = completeSettings({ ...website, ...settings });
  const changed = settingNames.filter((name) => settings[name] !== undefined);
  return changed.flatMap((name): readonly Line[] => {
    if (isListName(name)) return entriesOf(headOfList(name, lists[name]), website[name], wanted[name]);
    const removal = name === "privacy" && website.has_password ? ", and remove the password" : "";
    return [{ action, text: `    ${name}: ${valueText(name, website)} → ${valueText(name, wanted)}${removal}` }];
  });
}

function headOfList(name: ListName, lists: readonly string[] | undefined): string {
  return lists === undefined ? name : `${name} (with ${listNames(lists)})`;
}

function entriesOf(head: string, before: readonly string[], after: readonly string[]): readonly Line[] {
  const { added, removed } = diffEntries(before, after);
  if (added.length === 0 && removed.length === 0) return [{ action: "update", text: `    ${head}: in another order` }];
  return [
    { text: `    ${head}:` },
    ...shorten(added.map((entry) => ({ action: "create", text: `      + ${entry}` }))),
    ...shorten(removed.map((entry) => ({ action: "delete", text: `      - ${entry}` }))),
  ];
}

function shorten(lines: readonly Line[]): readonly Line[] {
  if (lines.length <= maxEntries) return lines;
  return [...lines.slice(0, maxEntries), { text: `      … and ${lines.length - maxEntries} more` }];
}

function passwordOf({ action, password }: Creation | Update): readonly Line[] {
  return password === undefined ? [] : [{ action, text: `    password: ${sourceText(password)}` }];
}

function sourceText(source: PasswordSource): string {
  if ("env" in source) return `from the environment variable ${source.env}`;
  return "file" in source ? `from the file ${source.file}` : "from the file of the websites";
}

function valueText(name: SettingName, settings: WebsiteSettings): string {
  const value = readableSetting(name, settings[name]);
  if (typeof value === "string" || typeof value === "boolean") return String(value);
  const shown = value.slice(0, maxEntries).join(", ");
  return value.length > maxEntries ? `${shown}, … and ${value.length - maxEntries} more` : shown;
}

function paint({ action, text }: Line, { color }: PlanLook): string {
  const safe = safeText(text);
  return color && action !== undefined ? styleText(colors[action], safe, { validateStream: false }) : safe;
}
