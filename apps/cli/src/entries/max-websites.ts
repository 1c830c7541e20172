/** How many websites a file may contain. */
export const maxWebsites = 100_000;

/**
 * Says that a file has too many websites, without a period at the end.
 *
 * @param file "the file" or "The file", as its sentence needs it
 */
export function tooManyWebsites(file: string): string {
  return `${file} has more than ${maxWebsites.toLocaleString("en-US")} websites; split it into several files`;
}
