import { InvalidArgumentError } from "../errors/invalid-argument-error.ts";

/** Header values by name. A header whose value is undefined is not sent. */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

/**
 * Returns the headers that are sent, with their names in small letters.
 *
 * @throws InvalidArgumentError if HTTP does not allow a name or a value
 */
export function readHeaders(values: HeaderValues = {}): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    try {
      new Headers([[name, value]]);
    } catch {
      // The runtime's own message quotes the value, which may be a secret.
      throw new InvalidArgumentError(`headers: ${JSON.stringify(name)} has a name or value that is not valid in HTTP.`);
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}
