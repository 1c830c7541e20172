import { apiKeySecretLength, formatApiKey } from "@siteward/contract/plain";

/** Part of every secret, so that one search finds all of them. Lowercase, because the server lowercases some fields. */
const marker = "zq7secret";

/** The secrets that were sent, each with the place that it was sent in. */
export class Planted {
  readonly #places = new Map<string, string>();

  get count(): number {
    return this.#places.size;
  }

  /** Creates a secret without a special format. */
  text(place: string): string {
    const number = String(this.#places.size + 1).padStart(6, "0");
    this.#places.set(number, place);
    return `${marker}${number}`;
  }

  /** Creates an API key with the right format and checksum that the server does not know. */
  key(place: string): string {
    const secret = this.text(place);
    // The server may show the first eight characters of a key, and they identify it.
    return formatApiKey(`${secret.slice(-6)}00${secret}`.padEnd(apiKeySecretLength, "x"));
  }

  /** Puts a secret where a text says `{secret}`, and a key where it says `{key}`. */
  fill(text: string): string {
    return text
      .replaceAll("{secret}", text.includes("{secret}") ? this.text(text.slice(0, 300)) : "")
      .replaceAll("{key}", text.includes("{key}") ? this.key(text.slice(0, 300)) : "");
  }

  /** Returns the places of the secrets that the bytes contain. */
  findIn(bytes: Buffer): string[] {
    const found = new Set<string>();
    for (let at = bytes.indexOf(marker); at !== -1; at = bytes.indexOf(marker, at + 1)) {
      const number = bytes.toString("latin1", at + marker.length, at + marker.length + 6);
      found.add(this.#places.get(number) ?? "unknown");
    }
    return [...found];
  }
}
