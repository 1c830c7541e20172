import fastStringWidth from "fast-string-width";

const printableAscii = /^[\u0020-\u007e]*$/;
const spacingMarks = /\p{Mc}/gu;

/**
 * Returns how many terminal columns a string takes; a wide character takes two.
 *
 * The string is composed first, since the library counts each part of a decomposed Hangul syllable and a terminal shows
 * them as one character. It counts no mark, but most terminals show the vowel signs of Indic scripts in a column of
 * their own (general category Mc).
 */
export function textWidth(text: string): number {
  // Almost every cell, measured in a quarter of the time.
  if (printableAscii.test(text)) return text.length;
  const composed = text.normalize();
  return fastStringWidth(composed) + (composed.match(spacingMarks)?.length ?? 0);
}

/** Makes a string take a number of columns: adds spaces, or cuts it and ends it with an ellipsis. */
export function fitText(text: string, width: number): string {
  const needed = textWidth(text);
  if (needed <= width) return text + " ".repeat(width - needed);
  const start = `${startOf(text, width - 1)}…`;
  return start + " ".repeat(width - textWidth(start));
}

/** Returns as many characters as fit into a number of columns. */
function startOf(text: string, maxWidth: number): string {
  let start = "";
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) {
    if (textWidth(start + segment) > maxWidth) break;
    start += segment;
  }
  return start;
}
