import type { WebsiteList } from "@siteward/service";
import { openStorage } from "../../../src/storage/open-storage.ts";

/** Searches every account of `fillInstallation` for many kinds of terms. */
export async function searchEverything(databaseUrl: string): Promise<WebsiteList[]> {
  const storage = await openStorage({ databaseUrl });
  const found: WebsiteList[] = [];
  for (const accountId of [1, 2, 3, 4, 5]) {
    for (const search of ["müller", "ÜLL", "例-79", "blog.例", "shop-79", "xn--", "7", "er-4", "later", "no-such"]) {
      for (const sortBy of ["id", "domain"] as const) {
        const request = { search, sortBy, sort: "asc", perPage: 100, start: { page: 1 } } as const;
        found.push(await storage.websites.list(accountId, request));
      }
    }
  }
  await storage.close();
  return found;
}
