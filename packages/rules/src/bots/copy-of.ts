/** Copies a string. A part of a string keeps the entire string in memory, such as the megabytes of a log that it was cut out of. */
export function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}
