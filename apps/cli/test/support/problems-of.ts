import { readSiteFile } from "../../src/files/site/read-site-file.ts";

/** Returns each problem of a site file as `line: domain: problem`. */
export async function problemsOf(text: string): Promise<readonly string[]> {
  const { problems } = await readSiteFile(text);
  return problems.map(({ place, domain, problem }) => `${[place.number, domain ?? []].flat().join(": ")}: ${problem}`);
}
