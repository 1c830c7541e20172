import type { Fields } from "./parameters.ts";

/** A JSON value. The name of a field is its path, such as `payload.url`. */
export class JsonFields implements Fields {
  text: string;
  readonly value: unknown;

  /** @throws SyntaxError */
  constructor(text: string) {
    this.text = text;
    this.value = JSON.parse(text.replace(/^\ufeff/, ""));
  }

  get(name: string): string | undefined {
    let value: unknown = this.value;
    for (const part of name.split(".")) value = Object(value)[part];
    return typeof value === "string" ? value : undefined;
  }

  /** Removes the field if there is no value. */
  set(name: string, value: string | undefined): void {
    const json = JSON.stringify(value) as string | undefined;
    const replace = (old: string) => json && old.replace(old.trim(), () => json);
    this.text = editAt(this.text, name.split("."), replace) ?? "";
  }
}

/** Returns the JSON of each value of an array or an object, which is at a path of valid JSON. */
export function splitJson(text: string, path: readonly string[]): string[] {
  const values: string[] = [];
  editAt(text, path, (list) => editEach(list, (value) => void values.push(value)));
  return values;
}

/** Replaces the values that `splitJson` returned, and removes those that are undefined. All else keeps every byte. */
export function joinJson(text: string, path: readonly string[], values: readonly (string | undefined)[]): string {
  return editAt(text, path, (list) => editEach(list, (_, index) => values[index])) ?? "";
}

type Edit = (value: string, index: number, name: string) => string | undefined;

/** A name can be there more than once. */
function editAt(text: string, [name, ...rest]: readonly string[], edit: (value: string) => string | undefined) {
  if (name === undefined) return edit(text);
  if (!/^\ufeff?\s*[[{]/.test(text)) return text;
  const edited: Edit = (value, _, ofValue) => (ofValue === name ? editAt(value, rest, edit) : value);
  return editEach(text, edited);
}

function editEach(text: string, edit: Edit): string {
  const open = text.search(/[[{]/);
  let [start, valueAt, depth, at, index] = [open + 1, open + 1, 1, open, 0];
  const kept: string[] = [];
  while (depth > 0) {
    at += 1;
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    else if (character === ":" && depth === 1) valueAt = at + 1;
    if (depth > 1 || (depth === 1 && character !== ",")) continue;
    const [name, value] = [text.slice(start, valueAt), text.slice(valueAt, at)];
    const edited = value.trim() && edit(value, index, name && JSON.parse(name.slice(0, -1)));
    if (edited) kept.push(name + edited);
    index += 1;
    start = at + 1;
    valueAt = start;
  }
  return text.slice(0, open + 1) + kept.join(",") + text.slice(at);
}

const string = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;

/** Returns the place of the quotation mark that ends a string. */
function endOfString(text: string, start: number): number {
  string.lastIndex = start;
  string.test(text);
  return string.lastIndex - 1;
}
