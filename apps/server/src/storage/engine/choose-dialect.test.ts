import { describe, expect, it } from "vitest";
import { openStorage } from "../open-storage.ts";

describe("a database URL", () => {
  it.each([
    ["mysql://user:secret@db.example/siteward", 'has the scheme "mysql:", which is not supported'],
    ["data/siteward.db", "has no scheme"],
    ["file:", "has no file path"],
    ["file::memory:", "is an in-memory database"],
    ["file:./a.db?mode=ro", 'contains a "?" or "#"'],
    ["file://host/a.db", "contains a host name"],
  ])("%s is refused, with an example of a valid one", async (databaseUrl, reason) => {
    const opening = openStorage({ databaseUrl });
    await expect(opening).rejects.toThrow(reason);
    await expect(opening).rejects.toThrow('"file:./data/siteward.db"');
    await expect(opening).rejects.not.toThrow("secret");
  });
});
