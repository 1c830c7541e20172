/** A body that is expensive to decode, to validate or to refuse, and as large as a body may be. */
export interface ExpensiveBody {
  readonly contentType: "application/json" | "application/x-www-form-urlencoded";
  readonly text: string;
}

/** The largest body that the server reads. */
export const maxBytes = 64 * 1024;

/** Repeats a piece up to a size in bytes of UTF-8. */
export function fill(piece: (index: number) => string, bytes: number = maxBytes - 200): string {
  const pieces: string[] = [];
  for (let size = 0, index = 0; ; index += 1) {
    const next = piece(index);
    size += Buffer.byteLength(next);
    if (size > bytes) return pieces.join("");
    pieces.push(next);
  }
}

/** Returns a form with these fields. */
export function form(fields: Record<string, string>): ExpensiveBody {
  return rawForm(new URLSearchParams(fields).toString());
}

/** Returns a form with this text, cut at the maximum size. */
export function rawForm(text: string): ExpensiveBody {
  return { contentType: "application/x-www-form-urlencoded", text: text.slice(0, maxBytes) };
}

/** Returns JSON of this value. */
export function json(fields: unknown): ExpensiveBody {
  return rawJson(JSON.stringify(fields));
}

/** Returns JSON with one field that is an array, filled up to the maximum size. */
export function jsonList(field: string, entry: (index: number) => string): ExpensiveBody {
  return rawJson(`{"${field}":[${fill((index) => `${entry(index)},`)}""]}`);
}

/** Returns JSON with this text. */
export function rawJson(text: string): ExpensiveBody {
  return { contentType: "application/json", text };
}
