import type { Rows } from "./row.ts";

/** Reads a plain list: one domain per line. `#` starts a comment, at the start of a line or after whitespace. */
export function readList(text: string): Rows {
  return text.split(/\r\n?|\n/).flatMap((line, index) => {
    const domain = line.replace(/(^|\s)#.*$/, "").trim();
    return domain === "" ? [] : [{ place: { unit: "line", number: index + 1 }, fields: { domain } }];
  });
}
