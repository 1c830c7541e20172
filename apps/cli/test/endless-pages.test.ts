import { expect, test } from "vitest";
import { buildWebsite } from "./support/build-website.ts";
import { errorOf, runCli } from "./support/run-cli.ts";
import { serve } from "./support/serve-fake.ts";

const siteFile = "version: 1\nwebsites: [a.example, b.example, c.example]\n";

test.each([
  ["websites list --all -o json", ""],
  ["websites list --privacy private -o json", ""],
  ["export -o json", ""],
  ["plan - --prune -o json", siteFile],
  ["plan - -o json", siteFile],
  ["import - -o json", "a.example\nb.example\nc.example\n"],
])("pages that lead in a circle end with an error after a few requests: %s", async (commandLine, stdin) => {
  let requests = 0;
  await using service = await serve((_request, response) => {
    requests += 1;
    const meta = { total: 250, total_relation: "eq", next_cursor: `c${requests % 3}`, entity_tags: ['"1"'] };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: [buildWebsite(requests, `site-${requests}.example`)], links: {}, meta }));
  });
  const run = await runCli(commandLine, { env: service.env, stdin });
  expect(run).toMatchObject({ exitCode: 1, stdout: "" });
  expect(errorOf(run)).toMatchObject({ code: "unexpected_response" });
  expect(requests).toBeLessThan(20);
});
