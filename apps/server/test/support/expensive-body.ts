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

/** A form with these fields. */
export function form(fields: Record<string, string>): ExpensiveBody {
  return rawForm(new URLSearchParams(fields).toString());
}

/** A form as it is written, cut at the largest size. */
export function rawForm(text: string): ExpensiveBody {
  return { contentType: "application/x-www-form-urlencoded", text: text.slice(0, maxBytes) };
}

/** JSON of this value. */
export function json(fields: unknown): ExpensiveBody {
  return rawJson(JSON.stringify(fields));
}

/** JSON with one field that is a list, filled up to the largest size. */
export function jsonList(field: string, entry: (index: number) => string): ExpensiveBody {
  return rawJson(`{"${field}":[${fill((index) => `${entry(index)},`)}""]}`);
}

/** JSON as it is written. */
export function rawJson(text: string): ExpensiveBody {
  return { contentType: "application/json", text };
}
