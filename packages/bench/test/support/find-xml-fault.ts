/** Returns what is wrong with the elements of an XML text, or undefined. Knows what plots use: no comments and no CDATA. */
export function findXmlFault(text: string): string | undefined {
  const open: string[] = [];
  for (const [tag, slash, name = "", empty] of text.matchAll(/<(\/?)([\w-]*)(?:\s[\w-]+="[^"<]*")*\s*(\/?)>|</g)) {
    if (name === "") return `${tag} is not a tag.`;
    if (slash === "/" && open.pop() !== name) return `${tag} closes another element.`;
    if (slash === "" && empty === "") open.push(name);
  }
  if (/&(?!amp;|lt;|gt;)/.test(text)) return "An ampersand is not escaped.";
  return open.length === 0 ? undefined : `${open.join(", ")} is not closed.`;
}
