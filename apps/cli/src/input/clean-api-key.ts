const assignment = /^(export\s+)?SITEWARD_API_KEY\s*=/i;
const header = /^authorization\s*:/i;
const scheme = /^bearer\s/i;

/**
 * Returns the API key in a string as people paste it: in quotes, wrapped to two lines, as a line of an environment file
 * or as an Authorization header.
 */
export function cleanApiKey(text: string): string {
  const unquoted = text.replaceAll(/["'`]/g, "");
  const key = [assignment, header, scheme].reduce((rest, prefix) => rest.trim().replace(prefix, ""), unquoted);
  return key.replaceAll(/\s/g, "");
}
