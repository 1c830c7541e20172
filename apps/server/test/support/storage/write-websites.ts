import { newWebsite } from "./open-test-storage.ts";
import { openWithTestAuthor } from "./with-test-author.ts";

/**
 * Creates websites until it has created enough or is killed. Prints the id and domain of each as soon as it is acknowledged.
 */
const [databaseUrl = "", accountId = "", label = "", count = "Infinity"] = process.argv.slice(2);
const storage = await openWithTestAuthor({ databaseUrl });
for (let number = 1; number <= Number(count); number += 1) {
  const domain = `${label}-${number}.example.com`;
  const { website } = await storage.websites.create(Number(accountId), newWebsite(domain));
  process.stdout.write(`${website.id} ${domain}\n`);
}
await storage.close();
