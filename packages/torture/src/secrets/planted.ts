import { apiKeySecretLength, formatApiKey } from "@siteward/contract/api-key";

/** Part of every secret, so that one search finds all of them. Lowercase, because the server lowercases some fields. */
const marker = "zq7secret";

/** The secrets that were sent, each with the place that it was sent in. */
export interface Planted {
  /** Creates a secret without a special format. */
  readonly text: (place: string) => string;
  /** Creates an API key with the right format and checksum that the server does not know. */
  readonly key: (place: string) => string;
  readonly count: () => number;
  /** Returns the places of the secrets that the bytes contain. */
  readonly findIn: (bytes: Buffer) => string[];
}

export function createPlanted(): Planted {
  const places = new Map<string, string>();
  const note = (place: string): string => {
    const number = String(places.size + 1).padStart(6, "0");
    places.set(number, place);
    return `${marker}${number}`;
  };
  return {
    text: (place) => note(place),
    key: (place) => {
      const secret = note(place);
      // The server may show the first eight characters of a key, and they identify it.
      return formatApiKey(`${secret.slice(-6)}00${secret}`.padEnd(apiKeySecretLength, "x"));
    },
    count: () => places.size,
    findIn: (bytes) => {
      const found = new Set<string>();
      for (let at = bytes.indexOf(marker); at !== -1; at = bytes.indexOf(marker, at + 1)) {
        const number = bytes.toString("latin1", at + marker.length, at + marker.length + 6);
        found.add(places.get(number) ?? "unknown");
      }
      return [...found];
    },
  };
}
