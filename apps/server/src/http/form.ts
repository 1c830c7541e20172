/**
 * Decodes an `application/x-www-form-urlencoded` body (WHATWG URL, section 5). A field sent once is its text; a field
 * sent repeatedly, as `name` or `name[]`, is the list of its texts. Any other bracket is part of the name.
 *
 * @returns an object without a prototype, so that no field name means anything but itself
 * @throws URIError where the percent-encoding is broken or is not UTF-8
 */
export function decodeForm(text: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null);
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const separator = pair.indexOf("=");
    const name = decode(separator === -1 ? pair : pair.slice(0, separator)).replace(/\[\]$/, "");
    const value = separator === -1 ? "" : decode(pair.slice(separator + 1));
    const earlier = fields[name];
    if (earlier === undefined) fields[name] = value;
    else if (typeof earlier === "string") fields[name] = [earlier, value];
    else earlier.push(value);
  }
  return fields;
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}
