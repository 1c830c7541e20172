/** Says that a mapping has a name twice. */
export function statedTwice(name: string): string {
  return `${JSON.stringify(name.slice(0, 100))} is stated twice; remove one of the two`;
}
