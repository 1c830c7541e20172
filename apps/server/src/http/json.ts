import { parse } from "secure-json-parse";

/**
 * Decodes a JSON body. Of two members of one name JSON.parse keeps the last without a word, so a field that is sent twice
 * is refused here; members further in are no fields.
 *
 * @throws SyntaxError where it is not JSON, names a field twice, or reaches for a prototype
 */
export function decodeJson(text: string): unknown {
  const value: unknown = parse(text, { protoAction: "error", constructorAction: "error" });
  if (namesFieldTwice(text)) throw new SyntaxError("A field is named twice.");
  return value;
}

/** A text, which is a name where a colon follows it, or where an object or array begins or ends. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[[\]{}]/g;

/** @param json is well-formed */
function namesFieldTwice(json: string): boolean {
  const names = new Set<unknown>();
  let nameCount = 0;
  let depth = 0;
  for (const [text, colon] of json.matchAll(token)) {
    if (text === "{" || text === "[") depth += 1;
    else if (text === "}" || text === "]") depth -= 1;
    else if (colon !== undefined && depth === 1) {
      nameCount += 1;
      names.add(JSON.parse(text.slice(0, -colon.length)));
    }
  }
  return names.size < nameCount;
}
