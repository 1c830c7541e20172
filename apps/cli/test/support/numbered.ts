/** Returns a text with as many parts. */
export function numbered(count: number, render: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => render(index)).join("");
}
