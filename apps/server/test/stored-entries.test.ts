import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { newWebsite } from "./support/storage/open-test-storage.ts";
import { startTestServer } from "./support/test-server.ts";

describeOnEveryEngine("entries that were stored before the service refused them", (engine) => {
  test("are read as they are, and the website can be updated in its other fields", async () => {
    await using server = await startTestServer(engine);
    const stored = { exclude_params: ["utm\u202e_ecruos", "a\u200b"] };
    await server.storage.websites.create(server.accountId, newWebsite("example.com", stored));
    const path = "/api/v1/websites/1";
    expect((await server.call("GET", path)).website).toMatchObject(stored);
    expect((await server.call("PUT", path, { json: { email: 1 } })).website).toMatchObject({ ...stored, email: 1 });
    const again = await server.call("PUT", path, { json: { ...stored, email: 0 } });
    expect(again.fieldErrors).toEqual({
      exclude_params: [
        'entry 1: "utm\\u{202E}_ecruos" has the invisible or formatting character U+202E at position 4; send it without that',
        'entry 2: "a\\u{200B}" has the invisible or formatting character U+200B at position 2; send it without that',
      ],
    });
    const shorter = await server.call("PUT", path, { json: { exclude_params: ["utm_source"] } });
    expect(shorter.website.exclude_params).toEqual(["utm_source"]);
  });
});
