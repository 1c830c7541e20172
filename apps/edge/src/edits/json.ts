/** Reads a JSON value. The name of a field is its path, such as `payload.url`. @throws SyntaxError */
export function readJson(text: string) {
  const root: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  const get = (name: string): string | undefined => {
    let value = root;
    for (const part of name.split(".")) value = Object(value)[part];
    return typeof value === "string" ? value : undefined;
  };
  /** Removes the field if there is no value. */
  const set = (name: string, value: string | undefined) => {
    const json = value === undefined ? undefined : toAsciiJson(value);
    const replace: Edit = (old) => json && old.replace(old.trim(), () => json);
    fields.text = editAt(fields.text, name.split("."), replace) ?? "";
  };
  const fields = { text, get, set };
  return fields;
}

/** Writes JSON for a body that may be neither UTF-8 nor Latin-1. */
export function toAsciiJson(value: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replaceAll(/[^\0-\x7f]/g, escapeUnit);
}

type Edit = (value: string) => string | undefined;

/** Edits what is at a path of valid JSON, also twice, or removes it. All else keeps every byte. A `*` is each value. */
export function editAt(text: string, [name, ...rest]: readonly string[], edit: Edit): string | undefined {
  if (name === undefined) return edit(text);
  return editEach(text, (value, own) => (name === "*" || name === own ? editAt(value, rest, edit) : value));
}

function editEach(text: string, edit: (value: string, name: string) => string | undefined): string {
  if (!/^\ufeff?\s*[[{]/.test(text)) return text;
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]/gs;
  token.test(text);
  const first = token.lastIndex;
  let [start, valueAt, at, depth] = [first, first, first, 1];
  const kept: string[] = [];
  while (depth > 0) {
    token.test(text);
    at = token.lastIndex - 1;
    const character = text[at] ?? "";
    depth += Number("{[".includes(character)) - Number("}]".includes(character));
    if (depth === 1 && character === ":") valueAt = at + 1;
    if (depth > 1 || (depth === 1 && character !== ",")) continue;
    const [name, value] = [text.slice(start, valueAt), text.slice(valueAt, at)];
    const edited = value.trim() && edit(value, name && JSON.parse(name.slice(0, -1)));
    if (edited) kept.push(name + edited);
    [start, valueAt] = [at + 1, at + 1];
  }
  return text.slice(0, first) + kept.join(",") + text.slice(at);
}
