/** Adds a period unless the text ends with one. A proxy, a system or a field's message may leave it out. */
export function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
