const tail = "%[89ab][\\da-f]";
/** What `decodeURIComponent` accepts: percent-encoded bytes that are UTF-8. An exception for each name would take 100 times as long. */
const wellFormed = new RegExp(
  [
    "^(?:[^%]|%[0-7][\\da-f]",
    `%(?:c[2-9a-f]|d[\\da-f])${tail}`,
    `%e0%[ab][\\da-f]${tail}`,
    `%e[1-9abcef]${tail}${tail}`,
    `%ed%[89][\\da-f]${tail}`,
    `%f0%[9ab][\\da-f]${tail}${tail}`,
    `%f[1-3]${tail}${tail}${tail}`,
    `%f4%8[\\da-f]${tail}${tail})*$`,
  ].join("|"),
  "i",
);

/** Decodes the name of a parameter as forms are decoded: `+` is a space. Returns undefined if its percent-encoding is malformed. */
export function decodeName(name: string): string | undefined {
  return wellFormed.test(name) ? decodeURIComponent(name.replaceAll("+", " ")) : undefined;
}
