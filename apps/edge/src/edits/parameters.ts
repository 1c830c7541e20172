import querystring from "node:querystring";

/** A text whose fields can be replaced. What is not replaced keeps every byte. */
export interface Fields {
  readonly text: string;
  get(name: string): string | undefined;
  /** Replaces a field that `get` returned. */
  set(name: string, value: string): void;
}

/** The parameters of a query or a form. */
export class Parameters implements Fields {
  text: string;
  readonly #parts: string[];
  readonly #places = new Map<string, number>();

  /** @param which of several with the same name has the say */
  constructor(text: string, which: "first" | "last" = "last") {
    this.text = text;
    this.#parts = text.split("&");
    if (this.#parts.length > 1_000) throw new RangeError("PHP reads no more parameters.");
    for (const [place, part] of this.#parts.entries()) {
      const [raw = ""] = part.split("=", 1);
      // PHP ignores spaces in front of a name, and what is behind NUL.
      const name = /[%+ ]/.test(raw) ? decode(raw).replaceAll(/^ +|\0.*/gs, "") : raw;
      if (which === "last" || !this.#places.has(name)) this.#places.set(name, place);
    }
  }

  get(name: string): string | undefined {
    const part = this.#parts[this.#places.get(name) ?? -1];
    return part && decode(part.slice(part.indexOf("=") + 1 || part.length));
  }

  set(name: string, value: string): void {
    const place = this.#places.get(name) ?? -1;
    this.#parts[place] = `${this.#parts[place]?.split("=", 1)}=${encodeURIComponent(value.toWellFormed())}`;
    this.text = this.#parts.join("&");
  }
}

/** What is malformed is decoded as far as it goes, as by the peers. */
function decode(text: string): string {
  return querystring.unescape(text.includes("+") ? text.replaceAll("+", " ") : text);
}
