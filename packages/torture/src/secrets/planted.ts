import { apiKeySecretLength, formatApiKey } from "@siteward/contract/api-key";

/** Stands in every secret, in lower case, since some fields are lower-cased: one search finds all of them. */
const marker = "zq7secret";

/** The secrets that were sent, by their text, with the place they were sent in. */
export interface Planted {
  /** A secret of no special shape. */
  readonly text: (place: string) => string;
  /** An API key of the right shape and checksum that the service does not know. */
  readonly key: (place: string) => string;
  readonly count: () => number;
  /** The places of the secrets that a text holds. */
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
      // The first eight characters of a key may be shown, and tell keys apart.
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
