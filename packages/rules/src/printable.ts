/**
 * Returns a string that a client chose as printable ASCII without quotation marks, cut to a length: others are written as numbers, so
 * that a header, a log or a terminal can contain it.
 */
export function printable(text: string, maxLength: number): string {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
  return shown.replace(/[^ !#-[\]-~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
