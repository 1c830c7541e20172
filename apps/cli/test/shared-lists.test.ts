import { join } from "node:path";
import { expect } from "vitest";
import { test } from "./support/cli-test.ts";
import { errorOf, runCli, warningsOf } from "./support/run-cli.ts";

const file = `version: 1
lists:
  office: [203.0.113.0/24]
  away: [198.51.100.7]
websites:
  - domain: a.example
    exclude_ips: ["@office"]
  - domain: b.example
    exclude_ips: [10.0.0.1, "@office"]
  - domain: c.example
    exclude_ips: ["@office"]
  - d.example
`;

test("one entry changes all websites that name its list, and an export keeps the list", async ({ cli, folder }) => {
  await cli.add("z.example");
  const path = await folder.write("siteward.yaml", file);
  expect(await cli.run(`apply ${path} --yes`)).toMatchObject({ exitCode: 0 });
  expect(cli.fake.websites[2]?.exclude_ips).toEqual(["10.0.0.1", "203.0.113.0/24"]);

  await folder.write("siteward.yaml", file.replace("[203.0.113.0/24]", "[203.0.113.0/24, 192.0.2.9]"));
  const planned = await cli.run(`plan ${path} --output table`);
  expect(planned).toMatchObject({ exitCode: 0, stderr: "" });
  expect(planned.stdout).toBe(`~ 3 websites with @office: a.example (ID 2), b.example (ID 3), … and 1 more
    exclude_ips:
      + 192.0.2.9

Plan: 3 to update. 1 website is as in the file.
1 website is not in the file and stays as it is. --prune deletes what is not in the file.
`);
  expect(await cli.run(`apply ${path} --yes`)).toMatchObject({ exitCode: 0 });

  expect(await cli.run(`export ${path} --force`)).toMatchObject({ exitCode: 0 });
  const exported = await folder.read("siteward.yaml");
  expect(exported.match(/@office/g)).toHaveLength(3);
  expect(exported).toContain("lists:\n  office:\n    - 203.0.113.0/24\n    - 192.0.2.9\n  away:\n");
  const unchanged = "No changes. 5 websites are as in the file.\n";
  expect((await cli.run(`plan ${path} --output table`)).stdout).toBe(unchanged);
  // Nobody has edited it.
  expect(await cli.run(`export ${path}`)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  expect(await folder.read("siteward.yaml")).toBe(exported);

  const broken = exported.replace('"@office"', "@office");
  await folder.write("siteward.yaml", broken);
  const refused = await cli.run(`export ${path} --force`);
  expect(refused.exitCode).toBe(2);
  expect(errorOf(refused).message).toBe(
    `An export cannot keep the lists of ${path}: line 13: has @office without quotes, which YAML does not allow; write "@office".`,
  );
  expect(await folder.read("siteward.yaml")).toBe(broken);

  expect(await cli.run(`export ${join(folder.path, "websites.csv")}`)).toMatchObject({ exitCode: 0 });
  expect(await folder.read("websites.csv")).toContain('"10.0.0.1, 203.0.113.0/24, 192.0.2.9"');
});

test("check warns of a list that nothing uses", async () => {
  const valid = await runCli("check -", { stdin: file });
  expect(valid).toMatchObject({ exitCode: 0, stdout: "[]\n" });
  expect(warningsOf(valid)).toEqual(["No website uses these lists, so what is in them is not checked:\n  away"]);
});
