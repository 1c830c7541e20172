import type { Website } from "@siteward/sdk";
import { toUnicodeDomain } from "@siteward/sdk/fields";
import { safeText } from "@siteward/start/safe-text";

/**
 * Returns a domain as people read it: each label in Unicode, unless it could be mistaken for another one. Then the
 * label stays in ASCII (`xn--…`). A label is shown in Unicode if its letters belong to one writing system that is in
 * everyday use, as browsers require, and if they do not all look like Latin letters. So `xn--pple-43d.com`, an "apple"
 * with a Cyrillic letter, stays as it is.
 */
export function domainText(domain: string): string {
  // Almost every domain.
  if (!domain.includes("xn--")) return safeText(domain);
  const asciiLabels = domain.split(".");
  const labels = asciiLabels.map(toUnicodeDomain);
  const last = labels.at(-1) ?? "";
  return safeText(labels.map((label, index) => (isClear(label, last) ? label : (asciiLabels[index] ?? ""))).join("."));
}

/** Names a website in a sentence: its domain, its domain in ASCII if that differs, and its ID. */
export function websiteName(
  { id, domain }: Pick<Website, "id" | "domain">,
  { ascii }: { readonly ascii?: true | undefined },
): string {
  const [shown, inAscii] = [ascii === true ? safeText(domain) : domainText(domain), safeText(domain)];
  return `${shown} (${shown === inAscii ? "" : `${inAscii}, `}ID ${id})`;
}

/** Whether a label says what it is, at the start of a domain that ends with `last`. */
function isClear(label: string, last: string): boolean {
  if (safeText(label) !== label) return false;
  const system = writingSystems().find(({ letters }) => letters.test(label));
  if (system === undefined) return false;
  const { lookalikes } = system;
  // The whole domain is in that script if its last label is, as in "сор.рф".
  return lookalikes === undefined || !lookalikes.test(label) || (label !== last && system.letters.test(last));
}

/** The letters of a writing system, and those of them that look like Latin letters. Both match a whole label. */
interface WritingSystem {
  readonly letters: RegExp;
  readonly lookalikes?: RegExp;
}

let systems: readonly WritingSystem[] | undefined;

/**
 * The scripts in everyday use (UAX #31, table 5), each alone, but those that Japanese, Korean and Chinese are written
 * with together. Of Latin, only the letters of living languages, without those of phonetics, such as "ɡ". The
 * lookalikes are those that Chromium names (components/url_formatter/spoof_checks/idn_spoof_checker.cc).
 */
function writingSystems(): readonly WritingSystem[] {
  // Compiling the patterns takes 2 ms of processor time, and most accounts have no domain that needs them.
  systems ??= [
    { letters: /^[a-z0-9ß-öø-ķĺ-ňŋ-žơưǎǐǒǔǖǘǚǜșțḁ-ỹ-]+$/u },
    { letters: wordIn("Cyrillic"), lookalikes: /^[аысԁеԍһіюкјӏорԗԛѕԝхуъьҽпгѵѡ0-9-]+$/u },
    { letters: wordIn("Greek"), lookalikes: /^[αικνρυωηοτ0-9-]+$/u },
    { letters: wordIn("Armenian"), lookalikes: /^[ագզէլհյոսւօ0-9-]+$/u },
    { letters: wordIn("Georgian"), lookalikes: /^[იოყძხჽჿ0-9-]+$/u },
    { letters: wordIn("Han", "Hiragana", "Katakana") },
    { letters: wordIn("Han", "Hangul") },
    { letters: wordIn("Han", "Bopomofo") },
    ...otherScripts.map((script) => ({ letters: wordIn(script) })),
  ];
  return systems;
}

const otherScripts = [
  ...["Arabic", "Bengali", "Devanagari", "Ethiopic", "Gujarati", "Gurmukhi", "Hebrew", "Kannada", "Khmer", "Lao"],
  ...["Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thaana", "Thai", "Tibetan"],
];

function wordIn(...scripts: readonly string[]): RegExp {
  return new RegExp(`^[${scripts.map((script) => `\\p{Script_Extensions=${script}}`).join("")}0-9-]+$`, "u");
}
