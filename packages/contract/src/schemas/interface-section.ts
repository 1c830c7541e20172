const page = "https://github.com/siteward/siteward/blob/main/docs/interface.md";

/** The sections of `docs/interface.md` that descriptions refer to. A test checks that each exists. */
const anchors = {
  2: "2-resources-and-fields",
  4: "4-endpoints",
} as const;

/**
 * Refers to a section of `docs/interface.md`. It is a link with an address of its own, because descriptions are also read outside
 * the repository: in `openapi.json` and when a user of a published package hovers over a type.
 */
export function interfaceSection(number: keyof typeof anchors): string {
  return `[docs/interface.md, section ${number}](${page}#${anchors[number]})`;
}
