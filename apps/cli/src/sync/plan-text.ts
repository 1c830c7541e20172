import { hash } from "node:crypto";
import { styleText } from "node:util";
import type { WebsiteSettings } from "@siteward/contract/plain";
import { safeText } from "@siteward/start/safe-text";
import type { PasswordSource } from "../files/entry.ts";
import { domainText } from "../output/domain-text.ts";
import { firstLines, nameSome } from "../output/lists.ts";
import {
  completeSettings,
  isListName,
  type ListName,
  readableSetting,
  type SettingName,
  settingNames,
} from "../websites/settings.ts";
import type { Planned, PlannedCreation, PlannedUpdate } from "./decide.ts";
import { describeExposure, exposureOf } from "./exposure.ts";
import { countChanges, type Plan } from "./plan.ts";

/** A line of a plan. Its action decides the color. */
interface Line {
  readonly action?: Planned["action"];
  readonly text: string;
}

const signs = { create: "+", update: "~", delete: "-" } as const satisfies Record<Planned["action"], string>;
const colors = { create: "green", update: "yellow", delete: "red" } as const satisfies Record<
  Planned["action"],
  string
>;

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

/** Formats a plan for people: each website or equal update with what changes below it, and a summary. */
export function renderPlan(plan: Plan, look: PlanLook): string {
  const groups = groupUpdates(plan.changes);
  const texts = plan.changes.map((change) => {
    const group = groups.get(change) ?? [];
    const lines =
      group.length < minShared ? linesOf(change, look) : group[0] === change ? linesOfGroup(group, look) : [];
    return lines.map((line) => `${paint(line, look)}\n`).join("");
  });
  const exposed = describeExposure(exposureOf(plan.changes));
  const summary = `${summarizePlan(plan)}\n${exposed === "" ? "" : `${exposed}\n`}`;
  return [...texts, texts.length === 0 ? "" : "\n", summary, describeUnlisted(plan)].join("");
}

/** Returns each update with those that equal it, by hashes: the entries of 100,000 lists are 400 MB. */
function groupUpdates(changes: readonly Planned[]): ReadonlyMap<Planned, readonly PlannedUpdate[]> {
  const updates = changes.filter((change) => change.action === "update");
  const groups = Map.groupBy(updates, (update) => {
    return hash("sha256", JSON.stringify([...changesOf(update, Number.POSITIVE_INFINITY), ...passwordOf(update)]));
  });
  return new Map([...groups.values()].flatMap((group) => group.map((update) => [update, group])));
}

/** Returns what a plan does, in two sentences. */
function summarizePlan(plan: Plan): string {
  const counts = Object.entries(countChanges(plan)).filter(([, count]) => count > 0);
  const changes = counts.map(([action, count]) => `${count} to ${action}`).join(", ");
  const { unchanged } = plan;
  const rest = `${unchanged} ${unchanged === 1 ? "website is" : "websites are"} as in the file`;
  return `${changes === "" ? "No changes" : `Plan: ${changes}`}. ${rest}.`;
}

function describeUnlisted({ unlisted }: Plan): string {
  if (unlisted === 0) return "";
  const websites =
    unlisted === 1 ? "1 website is not in the file and stays" : `${unlisted} websites are not in the file and stay`;
  return `${websites} as ${unlisted === 1 ? "it is" : "they are"}. --prune deletes what is not in the file.\n`;
}

function linesOf(change: Planned, look: PlanLook): readonly Line[] {
  const { action } = change;
  const head = { action, text: `${signs[action]} ${nameOf(change, look)}` };
  if (action === "delete") return [head];
  return [head, ...(action === "create" ? settingsOf(change) : changesOf(change)), ...passwordOf(change)];
}

function linesOfGroup(group: readonly PlannedUpdate[], look: PlanLook): readonly Line[] {
  const [first] = group;
  if (first === undefined) return [];
  const { lists = {}, ...update } = first;
  const used = settingNames.flatMap((name) => (isListName(name) && update.edit.set[name] && lists[name]) || []);
  const withLists = used.length === 0 ? "" : ` with ${listNames([...new Set(used)])}`;
  const names = firstLines(group, maxNamed, (one) => nameOf(one, look)).join(", ");
  const head = `${signs.update} ${group.length.toLocaleString("en-US")} websites${withLists}: ${names}`;
  return [{ action: "update", text: head }, ...changesOf(update), ...passwordOf(update)];
}

function nameOf(change: Planned, { ascii }: PlanLook): string {
  const domain = ascii ? change.domain : domainText(change.domain);
  return change.action === "create" ? domain : `${domain} (ID ${change.id})`;
}

/** Lists only the settings that a website does not have if it is created with its domain alone. */
function settingsOf({ action, set }: PlannedCreation): readonly Line[] {
  const [stated, defaults] = [completeSettings(set), completeSettings({})];
  return settingNames
    .filter((name) => valueText(name, stated) !== valueText(name, defaults))
    .map((name) => ({ action, text: `    ${name}: ${valueText(name, stated)}` }));
}

function changesOf({ action, only, edit, lists = {} }: PlannedUpdate, max = maxEntries): readonly Line[] {
  const { website } = only;
  const wanted = completeSettings({ ...website, ...edit.set });
  const changed = settingNames.filter((name) => edit.set[name] !== undefined);
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
  const show = (action: "create" | "delete", entries: readonly string[]): readonly Line[] =>
    firstLines(entries, max, (entry) => `${signs[action]} ${entry}`).map((text) => ({ action, text: `      ${text}` }));
  return [{ text: `    ${head}:` }, ...show("create", added), ...show("delete", removed)];
}

function passwordOf({ action, password }: Planned): readonly Line[] {
  return password === undefined ? [] : [{ action, text: `    password: ${sourceText(password)}` }];
}

function sourceText(source: PasswordSource): string {
  if ("env" in source) return `from the environment variable ${source.env}`;
  return "file" in source ? `from the file ${source.file}` : "from the file of the websites";
}

function valueText(name: SettingName, settings: WebsiteSettings): string {
  const value = readableSetting(name, settings[name]);
  return typeof value === "object" ? nameSome(value, maxEntries) : String(value);
}

function paint({ action, text }: Line, { color }: PlanLook): string {
  const safe = safeText(text);
  return color && action !== undefined ? styleText(colors[action], safe, { validateStream: false }) : safe;
}
