import fastStringWidth from "fast-string-width";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const printableAscii = /^[\u0020-\u007e]*$/;

/**
 * Returns how many terminal columns a string takes; a wide character takes two.
 *
 * The string is composed first, since the library counts each part of a decomposed Hangul syllable and a terminal shows
 * them as one character.
 */
export function textWidth(text: string): number {
  // Almost every cell, measured in a quarter of the time.
  if (printableAscii.test(text)) return text.length;
  return fastStringWidth(text.normalize());
}

/** Shortens a string to a number of columns, and ends it with an ellipsis if something was cut. */
export function truncateText(text: string, maxWidth: number): string {
  if (textWidth(text) <= maxWidth) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += textWidth(segment);
    if (width > maxWidth - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
