import { readEarlierFile } from "../files/read-earlier-file.ts";
import { type KeptLists, readKeptLists } from "../site-file/kept-lists.ts";

/** Returns the lists of the site file that is to be replaced; undefined if there are none, or if it cannot be read. */
export async function keepLists(path: string): Promise<KeptLists | undefined> {
  const earlier = await readEarlierFile(path);
  return earlier?.ok === true ? await readKeptLists(earlier.value) : undefined;
}
