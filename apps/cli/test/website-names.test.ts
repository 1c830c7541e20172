import { describe, expect, test } from "vitest";
import { openTerminal } from "./support/open-terminal.ts";
import { runCli } from "./support/run-cli.ts";
import { serveFake } from "./support/serve-fake.ts";

const websites = [{ domain: "www.example.com" }, { domain: "example.com" }, { domain: "bücher.example" }];

describe.each(["3", "bücher.example", "BÜCHER.example.", "xn--bcher-kva.example"])(
  "%s names the website for",
  (name) => {
    test("get", async () => {
      await using served = await serveFake({ websites });
      const run = await runCli(["websites", "get", name], served);
      expect(JSON.parse(run.stdout)).toEqual(served.fake.websites[2]);
      expect(served.fake.requests).toHaveLength(1);
    });

    test("get with --etag", async () => {
      await using served = await serveFake({ websites });
      const run = await runCli(["websites", "get", name, "--etag"], served);
      expect(JSON.parse(run.stdout)).toEqual({ ...served.fake.websites[2], etag: expect.stringMatching(/^".+"$/) });
    });

    test("update, and no other website changes", async () => {
      await using served = await serveFake({ websites });
      const run = await runCli(["websites", "update", name, "--email", "on"], served);
      expect(JSON.parse(run.stdout)).toEqual(served.fake.websites[2]);
      expect(served.fake.websites.map(({ email }) => email)).toEqual([0, 0, 1]);
    });

    test("delete, and no other website is deleted", async () => {
      await using served = await serveFake({ websites });
      const run = await runCli(["websites", "delete", name, "--yes"], served);
      expect(JSON.parse(run.stdout)).toEqual([{ id: 3, domain: "xn--bcher-kva.example", deleted: true }]);
      expect(served.fake.websites.map(({ id }) => id)).toEqual([1, 2]);
    });
  },
);

describe("a domain that no website has is exit code 3, and nothing changes, with", () => {
  test.each([["get"], ["get", "--etag"], ["update", "--email", "on"], ["delete", "--yes"]])(
    "%s %s",
    async (...words) => {
      await using served = await serveFake({ websites });
      const [verb = "", ...flags] = words;
      const run = await runCli(["websites", verb, "Example.ORG", ...flags], served);
      expect(run).toMatchObject({ exitCode: 3, stdout: "" });
      expect(JSON.parse(run.stderr).error).toEqual({
        code: "not_found",
        message: "No website has the domain Example.ORG.",
        next:
          "Create it with `siteward websites create Example.ORG`, " +
          "or list your websites with `siteward websites list`.",
      });
      expect(served.fake.requests.every(({ method }) => method === "GET")).toBe(true);
    },
  );
});

test("a new domain for a website is refused with the commands that move it", async () => {
  const run = await runCli(["websites", "update", "3", "--domain", "new.example", "-o", "table"]);
  expect(run).toEqual({
    exitCode: 2,
    stdout: "",
    stderr:
      "Error: The domain of a website cannot be changed.\n" +
      "To move the website, run `siteward websites create new.example` with its settings, " +
      "then `siteward websites delete 3`.\n",
  });
});

describe("on a terminal, an update says whether something changed", () => {
  test.each([
    ["a new value", "example.com", ["--email", "on"], "Updated example.com (ID 2)."],
    ["the values that it has", "example.com", ["--email", "off", "--exclude-params", ""], "Nothing changed."],
    ["the values that it has, by ID", "2", ["--email", "off"], "Nothing changed."],
    ["a list in another order", "2", ["--exclude-params", "ref"], "Updated example.com (ID 2)."],
  ])("%s", async (_name, website, flags, said) => {
    await using served = await serveFake({ websites });
    using terminal = openTerminal(["websites", "update", website, ...flags], served);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()).toContain(`\n${said}`);
  });

  test("with a key that can only write, it says that it updated", async () => {
    await using served = await serveFake({ websites });
    const env = { ...served.env, SITEWARD_API_KEY: served.fake.createApiKey({ scopes: ["websites:write"] }) };
    using terminal = openTerminal(["websites", "update", "2", "--email", "off"], { env });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()).toContain("\nUpdated example.com (ID 2).");
  });
});
