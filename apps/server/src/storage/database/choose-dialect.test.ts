import { describe, expect, it } from "vitest";
import { openStorage } from "../open-storage.ts";

describe("a database URL", () => {
  it.each([
    ["mysql://user:secret@db.example/siteward", 'has the scheme "mysql:", which is not supported'],
    ["data/siteward.db", "has no scheme"],
    ["file:", "names no file"],
    ["file::memory:", "would keep nothing"],
    ["file:./a.db?mode=ro", 'contains a "?" or "#"'],
    ["file://host/a.db", "names a host"],
  ])("%s is refused, with an example of a valid one", async (databaseUrl, reason) => {
    const opening = openStorage({ databaseUrl });
    await expect(opening).rejects.toThrow(reason);
    await expect(opening).rejects.toThrow('"file:./data/siteward.db"');
    await expect(opening).rejects.not.toThrow("secret");
  });
});
