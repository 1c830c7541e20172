const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const printableAscii = /^[\u0020-\u007e]*$/;
const zeroWidth = /^[\p{Mark}\p{Control}\p{Format}]+$/u;
const emoji = /\p{Emoji_Presentation}|\ufe0f/u;

/** East Asian Wide and Fullwidth (Unicode, UAX #11), from and to. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];

/** How many terminal columns a text takes, wide characters counted as two. */
export function textWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** Shortens a text to a number of columns, with an ellipsis where something was left out. */
export function truncateText(text: string, maxWidth: number): string {
  if (textWidth(text) <= maxWidth) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += graphemeWidth(segment);
    if (width > maxWidth - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

function graphemeWidth(grapheme: string): number {
  if (zeroWidth.test(grapheme)) return 0;
  if (emoji.test(grapheme)) return 2;
  const codePoint = grapheme.codePointAt(0) ?? 0;
  return wideRanges.some(([from, to]) => codePoint >= from && codePoint <= to) ? 2 : 1;
}
