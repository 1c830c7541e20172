import { get } from "node:http";
import { text } from "node:stream/consumers";

const [url = ""] = process.argv.slice(2);
get(url, async (response) => {
  process.stdout.write(`${JSON.stringify(JSON.parse(await text(response)))}\n`);
});
