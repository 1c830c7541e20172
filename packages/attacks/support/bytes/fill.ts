/** The largest body that the server reads. */
export const maxBytes = 64 * 1024;

/** Repeats a piece up to a size in bytes of UTF-8. The default size leaves room in a body for a few more fields. */
export function fill(piece: (index: number) => string, bytes: number = maxBytes - 250): string {
  const pieces: string[] = [];
  for (let size = 0, index = 0; ; index += 1) {
    const next = piece(index);
    size += Buffer.byteLength(next);
    if (size > bytes) return pieces.join("");
    pieces.push(next);
  }
}

/** Fills with the same text. */
export function fillWith(text: string, bytes?: number): string {
  return fill(() => text, bytes);
}
