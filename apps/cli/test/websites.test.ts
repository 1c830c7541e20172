import { describe, expect } from "vitest";
import { test } from "./support/cli-test.ts";
import { errorOf, jsonOf } from "./support/run-cli.ts";

describe("siteward websites create", () => {
  test("sends every setting under its name in the contract, and prints the record", async ({ cli }) => {
    const lists = "--exclude-params utm_*,ref --exclude-params id --exclude-ips 203.0.113.0/24";
    const flags = `--privacy Password --password-stdin --email on --exclude-bots 0 ${lists}`;
    const created = await cli.run(`websites create example.com ${flags}`, { stdin: "correct horse\n" });
    expect(cli.fake.requests[0]?.body).toEqual({
      domain: "example.com",
      privacy: 2,
      password: "correct horse",
      email: 1,
      exclude_bots: 0,
      exclude_params: ["utm_*", "ref", "id"],
      exclude_ips: ["203.0.113.0/24"],
    });
    expect(jsonOf(created)).toEqual(cli.fake.websites[0]);
  });

  test("accepts entries on lines, as a shell passes those of a file", async ({ cli }) => {
    const addresses = "198.51.100.7\r\n\r\n2001:db8::/32";
    await cli.run(["websites", "create", "example.com", "--exclude-ips", addresses]);
    expect(cli.fake.websites[0]?.exclude_ips).toEqual(["198.51.100.7", "2001:db8::/32"]);
  });

  test("creates one website with --idempotency-key, also if it is repeated, and says so", async ({ cli }) => {
    const create = "websites create example.com --idempotency-key import-42";
    const first = await cli.run(create);
    expect(await cli.run(create)).toEqual(first);
    expect(cli.fake.requests.map(({ headers }) => headers["idempotency-key"])).toEqual(["import-42", "import-42"]);
    expect(cli.fake.websites).toHaveLength(1);
    expect((await cli.show(create)).text).toContain("\nAlready created example.com (ID 1).");
    expect((await cli.show("websites create b.example")).text).toContain("\nCreated b.example (ID 2).");
  });
});

test("siteward websites get --etag adds the entity tag to the website, with its quotes", async ({ cli }) => {
  await cli.add("example.com");
  const plain = jsonOf(await cli.run("websites get 1"));
  const tagged = jsonOf(await cli.run("websites get 1 --etag"));
  expect(tagged).toEqual({ ...plain, etag: expect.stringMatching(/^"1-.+"$/) });
  expect(jsonOf(await cli.run("websites get 1 --etag --fields id,etag"))).toEqual({ id: 1, etag: tagged.etag });
});

describe("--if-match", () => {
  test.for(["TAG", "QUOTED", "W/QUOTED", "*"])("%s is sent with an update and with a delete", async (form, { cli }) => {
    await cli.add("example.com");
    const tag = async () => {
      const { etag } = jsonOf(await cli.run("websites get 1 --etag"));
      return form.replace("QUOTED", etag).replace("TAG", JSON.parse(etag));
    };
    const words = ["websites", "update", "1", "--email", "on", "--if-match", await tag()];
    expect(await cli.run(words)).toMatchObject({ exitCode: 0 });
    expect(await cli.run(["websites", "delete", "1", "--yes", "--if-match", await tag()])).toMatchObject({
      exitCode: 0,
    });
    const sent = cli.fake.requests.filter(({ method }) => method !== "GET").map(({ headers }) => headers["if-match"]);
    expect(sent).toEqual(form === "*" ? ["*", "*"] : Array(2).fill(expect.stringMatching(/^"1-.+"$/)));
  });
});

describe("siteward websites update", () => {
  test("sends only the given settings, an empty list for an empty value, and no condition", async ({ cli }) => {
    await cli.add("example.com");
    const updated = await cli.run(["websites", "update", "1", "--exclude-ips", "", "--email", "1"]);
    const [request] = cli.fake.requests;
    expect(request).toMatchObject({ method: "PUT", path: "/api/v1/websites/1" });
    expect(request?.body).toEqual({ email: 1, exclude_ips: [] });
    expect(request?.headers).not.toHaveProperty("if-match");
    expect(jsonOf(updated)).toMatchObject({ id: 1, email: 1 });
  });

  test("prints the error of the service, and how to send a password, if it cannot be prompted for", async ({ cli }) => {
    await cli.add("example.com");
    const run = await cli.run("websites update 1 --privacy 2");
    expect(run.exitCode).toBe(2);
    expect(errorOf(run)).toMatchObject({
      errors: { password: [expect.stringMatching(/^is required/)] },
      next: "To send a password, use --password-stdin.",
    });
    const short = await cli.run("websites update 1 --privacy 2 --password-stdin", { stdin: "pass" });
    expect(errorOf(short).next).toBeUndefined();
  });

  test("says on a terminal that it updated, also with a key that can only write", async ({ cli }) => {
    await cli.add("example.com");
    const env = { SITEWARD_API_KEY: cli.fake.createApiKey({ scopes: ["websites:write"] }) };
    for (const flags of ["--email off", "--privacy private --allow-public"]) {
      const { text } = await cli.show(`websites update 1 ${flags}`, { env });
      expect(text).toContain("\nUpdated example.com (ID 1).");
    }
  });

  test("says on a terminal that nothing changed, if it has read the website before", async ({ cli }) => {
    await cli.add("example.com");
    for (const words of ["example.com --email off", "1 --remove-exclude-ips ::1"]) {
      const { text } = await cli.show(`websites update ${words}`);
      expect(text).toContain("\nNothing changed in example.com (ID 1).");
    }
    expect((await cli.show("websites update example.com --email on")).text).toContain("\nUpdated example.com (ID 1).");
  });
});

describe.for(["3", "bücher.example", "BÜCHER.example.", "xn--bcher-kva.example", "https://Bücher.example/"])(
  "%s names the website for",
  (name) => {
    test("get, with one request, also with --etag", async ({ cli }) => {
      await cli.add("www.example.com", "example.com", "bücher.example");
      expect(jsonOf(await cli.run(`websites get ${name}`))).toEqual(cli.fake.websites[2]);
      expect(cli.fake.requests).toHaveLength(1);
      expect(jsonOf(await cli.run(`websites get ${name} --etag`))).toMatchObject({ id: 3, etag: expect.any(String) });
    });

    test("update and delete, and no other website changes", async ({ cli }) => {
      await cli.add("www.example.com", "example.com", "bücher.example");
      const updated = await cli.run(`websites update ${name} --email on`);
      expect(jsonOf(updated)).toEqual(cli.fake.websites[2]);
      expect(cli.fake.websites.map(({ email }) => email)).toEqual([0, 0, 1]);
      const deleted = await cli.run(`websites delete ${name} --yes`);
      expect(jsonOf(deleted)).toEqual([{ id: 3, domain: "xn--bcher-kva.example", deleted: true }]);
      expect(cli.fake.websites.map(({ id }) => id)).toEqual([1, 2]);
    });
  },
);

test.for(["get", "get --etag", "update --email on"])(
  "%s of a domain that no website has is exit code 3, and changes nothing",
  async (words, { cli }) => {
    await cli.add("example.com", "bücher.example");
    const [verb, ...flags] = words.split(" ");
    for (const [typed, named] of [
      ["Example.ORG", "Example.ORG"],
      ["ample.com", "ample.com"],
      ["MÜLLER.example", "MÜLLER.example (xn--mller-kva.example)"],
    ]) {
      const run = await cli.run(`websites ${verb} ${typed} ${flags.join(" ")}`);
      expect(run).toMatchObject({ exitCode: 3, stdout: "" });
      const list = "or list your websites with `siteward websites list`.";
      expect(errorOf(run)).toEqual({
        code: "not_found",
        message: `No website has the domain ${named}.`,
        next: `Create it with \`siteward websites create ${typed}\`, ${list}`,
      });
    }
    expect(cli.writes()).toEqual([]);
  },
);
