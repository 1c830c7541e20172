import { readEarlierFile } from "../files/read-earlier-file.ts";
import { type EarlierLists, readKeptLists } from "../site-file/kept-lists.ts";

/** Returns the lists of the site file that is to be replaced, or why they cannot be kept; undefined if there are none, or if it is not text. */
export async function keepLists(path: string): Promise<EarlierLists | undefined> {
  const earlier = await readEarlierFile(path);
  return earlier?.ok === true ? await readKeptLists(earlier.value) : undefined;
}
