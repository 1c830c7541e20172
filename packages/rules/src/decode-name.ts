const tail = "%[89ab][\\da-f]";
/** The percent-encoded characters that `decodeURIComponent` accepts: all of UTF-8. */
const encodedCharacter = new RegExp(
  [
    "%[0-7][\\da-f]",
    `%(?:c[2-9a-f]|d[\\da-f])${tail}`,
    `%e0%[ab][\\da-f]${tail}`,
    `%e[1-9abcef]${tail}${tail}`,
    `%ed%[89][\\da-f]${tail}`,
    `%f0%[9ab][\\da-f]${tail}${tail}`,
    `%f[1-3]${tail}${tail}${tail}`,
    `%f4%8[\\da-f]${tail}${tail}`,
  ].join("|"),
  "gi",
);

/**
 * Decodes the name of a parameter as forms are decoded: `+` is a space. Returns undefined if its percent-encoding is
 * malformed.
 *
 * A name is checked first, because an exception takes 100 times as long, and a URL can have thousands of names. The
 * check removes one character after the other: one expression for the entire name ran out of stack at 10 MB.
 */
export function decodeName(name: string): string | undefined {
  if (name.replace(encodedCharacter, "").includes("%")) return undefined;
  return decodeURIComponent(name.replaceAll("+", " "));
}
