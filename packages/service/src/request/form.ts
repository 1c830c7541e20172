import { maxFields, tooMany } from "./refused-body.ts";

/**
 * Decodes an `application/x-www-form-urlencoded` body (WHATWG URL, section 5). A field that is sent once becomes a
 * string. A field that is sent repeatedly, as `name`, `name[]` or `name[0]`, becomes an array of strings. Any other
 * bracket is part of the name.
 *
 * @param part what the text is, for the answer to a request with too many fields
 * @returns an object without a prototype, so that no field name has a meaning of its own
 * @throws URIError if the percent-encoding is broken or is not UTF-8
 * @throws AppError if it contains more than {@link maxFields} different fields
 */
export function decodeForm(text: string, part: "body" | "query" = "body"): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null);
  let fieldCount = 0;
  // All plus signs at once take 0.5 ms for 32,000 short names and values. One by one took 4 ms.
  for (const pair of text.replaceAll("+", " ").split("&")) {
    if (pair === "") continue;
    const separator = pair.indexOf("=");
    const name = decode(separator === -1 ? pair : pair.slice(0, separator)).replace(/\[\d*\]$/, "");
    const value = separator === -1 ? "" : decode(pair.slice(separator + 1));
    const earlier = fields[name];
    if (earlier === undefined) {
      fieldCount += 1;
      if (fieldCount > maxFields) throw tooMany(part, `${maxFields} fields`);
      fields[name] = value;
    } else if (typeof earlier === "string") fields[name] = [earlier, value];
    else earlier.push(value);
  }
  return fields;
}

/** Most names and values need no decoding. Checking first halves the time for 10,000 of them. */
function decode(text: string): string {
  return text.includes("%") ? decodeURIComponent(text) : text;
}
