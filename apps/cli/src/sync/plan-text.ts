import { hash } from "node:crypto";
import { styleText } from "node:util";
import type { WebsiteSettings } from "@siteward/contract/plain";
import type { PasswordSource } from "../files/entry.ts";
import { domainText } from "../output/domain-text.ts";
import { safeText } from "../output/safe-text.ts";
import { completeSettings } from "../websites/complete-settings.ts";
import { readableSetting } from "../websites/readable-setting.ts";
import { isListName, type ListName, type SettingName, settingNames } from "../websites/settings.ts";
import type { Change, Creation, Update } from "./decide.ts";
import type { Plan } from "./plan.ts";

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

/** From so many websites with an equal update on, it is shown once, with the names of some of them. */
const minShared = 3;
const maxNamed = 2;

/** Formats a plan for people: a line for each website or for those with an equal update, what changes below it, and a summary. */
export function renderPlan(plan: Plan, look: PlanLook): string {
  const groups = groupUpdates(plan.changes);
  const lines = plan.changes.flatMap((change) => {
    const group = groups.get(change);
    if (group === undefined) return linesOf(change, look);
    return group[0] === change ? linesOfGroup(group, look) : [];
  });
  const changes = lines.map((line) => `${paint(line, look)}\n`);
  return [...changes, changes.length === 0 ? "" : "\n", `${summarizePlan(plan)}\n`, describeUnlisted(plan)].join("");
}

/** Returns each update that others equal, with all of these. Only a hash of each is kept: the entries of 100,000 lists are 400 MB. */
function groupUpdates(changes: readonly Change[]): ReadonlyMap<Change, readonly Update[]> {
  const updates = changes.filter((change) => change.action === "update");
  const groups = Map.groupBy(updates, (update) => {
    return hash("sha256", JSON.stringify([...changesOf(update, Number.POSITIVE_INFINITY), ...passwordOf(update)]));
  });
  const shared = [...groups.values()].filter(({ length }) => length >= minShared);
  return new Map(shared.flatMap((group) => group.map((update) => [update, group])));
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

function describeUnlisted({ unlisted }: Plan): string {
  if (unlisted === 0) return "";
  const websites =
    unlisted === 1 ? "1 website is not in the file and stays" : `${unlisted} websites are not in the file and stay`;
  return `${websites} as ${unlisted === 1 ? "it is" : "they are"}. --prune deletes what is not in the file.\n`;
}

function linesOf(change: Change, look: PlanLook): readonly Line[] {
  const head = { action: change.action, text: `${signs[change.action]} ${nameOf(change, look)}` };
  switch (change.action) {
    case "create":
      return [head, ...settingsOf(change), ...passwordOf(change)];
    case "update":
      return [head, ...changesOf(change), ...passwordOf(change)];
    case "delete":
      return [head];
  }
}

function linesOfGroup(group: readonly Update[], look: PlanLook): readonly Line[] {
  const [first] = group;
  if (first === undefined) return [];
  const { lists = {}, ...update } = first;
  const used = settingNames.flatMap((name) => (isListName(name) && update.settings[name] && lists[name]) || []);
  const withLists = used.length === 0 ? "" : ` with ${listNames([...new Set(used)])}`;
  const named = group.slice(0, maxNamed).map((one) => nameOf(one, look));
  const more = `… and ${(group.length - maxNamed).toLocaleString("en-US")} more`;
  const head = `${group.length.toLocaleString("en-US")} websites${withLists}: ${[...named, more].join(", ")}`;
  return [{ action: "update", text: `${signs.update} ${head}` }, ...changesOf(update), ...passwordOf(update)];
}

function nameOf(change: Change, { ascii }: PlanLook): string {
  const domain = ascii ? change.domain : domainText(change.domain);
  return change.action === "create" ? domain : `${domain} (ID ${change.website.id})`;
}

/** Lists only the settings that a website does not have if it is created with its domain alone. */
function settingsOf({ action, settings }: Creation): readonly Line[] {
  const [stated, defaults] = [completeSettings(settings), completeSettings({})];
  return settingNames
    .filter((name) => valueText(name, stated) !== valueText(name, defaults))
    .map((name) => ({ action, text: `    ${name}: ${valueText(name, stated)}` }));
}

function changesOf({ action, website, settings, lists = {} }: Update, max = maxEntries): readonly Line[] {
  const wanted = completeSettings({ ...website, ...settings });
  const changed = settingNames.filter((name) => settings[name] !== undefined);
  return changed.flatMap((name): readonly Line[] => {
    if (isListName(name)) return entriesOf(headOfList(name, lists[name]), website[name], wanted[name], max);
    const removal = name === "privacy" && website.has_password ? ", and remove the password" : "";
    return [{ action, text: `    ${name}: ${valueText(name, website)} → ${valueText(name, wanted)}${removal}` }];
  });
}

function headOfList(name: ListName, lists: readonly string[] | undefined): string {
  return lists === undefined ? name : `${name} (with ${listNames(lists)})`;
}

/** Names lists as a site file does: "@office, @vpn". */
function listNames(names: readonly string[]): string {
  return names.map((name) => `@${name}`).join(", ");
}

function entriesOf(head: string, before: readonly string[], after: readonly string[], max: number): readonly Line[] {
  const [known, kept] = [new Set(before), new Set(after)];
  const added = after.filter((entry) => !known.has(entry));
  const removed = before.filter((entry) => !kept.has(entry));
  if (added.length === 0 && removed.length === 0) return [{ action: "update", text: `    ${head}: in another order` }];
  return [
    { text: `    ${head}:` },
    ...shorten(
      "create",
      added.map((entry) => `      + ${entry}`),
      max,
    ),
    ...shorten(
      "delete",
      removed.map((entry) => `      - ${entry}`),
      max,
    ),
  ];
}

function shorten(action: Change["action"], texts: readonly string[], max: number): readonly Line[] {
  const lines = texts.slice(0, max).map((text) => ({ action, text }));
  return texts.length <= max ? lines : [...lines, { text: `      … and ${texts.length - max} more` }];
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
