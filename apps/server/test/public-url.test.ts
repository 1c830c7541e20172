import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { startTestServer } from "./support/test-server.ts";

const path = "/api/v1/websites";
const publicUrl = "https://siteward.example/base";

describeOnEveryEngine("the public URL, if one is set", (engine) => {
  test("begins Location, the links of a list and the type of a problem", async () => {
    await using server = await startTestServer(engine, { publicUrl });
    for (let number = 1; number <= 11; number += 1) {
      const created = await server.call("POST", path, { form: { domain: `site-${number}.example` } });
      expect(created.header("Location")).toBe(`${publicUrl}${path}/${number}`);
    }
    const { links } = (await server.call("GET", path)).page;
    expect(links.first).toBe(`${publicUrl}${path}`);
    expect(links.next?.startsWith(`${publicUrl}${path}?cursor=`)).toBe(true);
    const refused = await server.call("POST", path, { form: {} });
    expect(refused.problem.type).toBe(`${publicUrl}/docs/errors/validation_failed`);
  });
});
