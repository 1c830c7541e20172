import querystring from "node:querystring";

/** A text whose fields can be replaced. What is not replaced keeps every byte. */
export interface Fields {
  readonly text: string;
  get(name: string): string | undefined;
  /** Replaces a field that `get` returned. */
  set(name: string, value: string): void;
}

/** Reads the parameters of a query or a form. @param which of several with the same name has the say */
export function readParameters(text: string, which: "first" | "last" = "last"): Fields {
  const [parts, places] = [text.split("&"), new Map<string, number>()];
  if (parts.length > 1_000) throw new RangeError("PHP reads no more parameters.");
  for (const [place, part] of parts.entries()) {
    const [raw = ""] = part.split("=", 1);
    // PHP ignores spaces in front of a name, and what is behind NUL.
    const name = /[%+ ]/.test(raw) ? decode(raw).replaceAll(/^ +|\0.*/gs, "") : raw;
    if (which === "last" || !places.has(name)) places.set(name, place);
  }
  const get = (name: string) => {
    const part = parts[places.get(name) ?? -1];
    return part && decode(part.slice(part.indexOf("=") + 1 || part.length));
  };
  const set = (name: string, value: string) => {
    const place = places.get(name) ?? -1;
    parts[place] = `${parts[place]?.split("=", 1)}=${encodeURIComponent(value.toWellFormed())}`;
    fields.text = parts.join("&");
  };
  const fields = { text, get, set };
  return fields;
}

/** What is malformed is decoded as far as it goes, as by the peers. */
function decode(text: string): string {
  return querystring.unescape(text.includes("+") ? text.replaceAll("+", " ") : text);
}
