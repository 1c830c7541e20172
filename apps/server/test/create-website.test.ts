import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { type CallOptions, startTestServer, type TestServer } from "./support/test-server.ts";

const path = "/api/v1/websites";

describeOnEveryEngine("create, 201", (engine) => {
  test("only a domain is required; every other field has the documented default", async () => {
    await using server = await startTestServer(engine);
    const before = Date.now();
    const answer = await server.call("POST", path, { form: { domain: "example.com" } });
    expect(answer.status).toBe(201);
    const { created_at, updated_at, ...rest } = answer.website;
    expect(rest).toEqual({
      id: 1,
      domain: "example.com",
      privacy: 0,
      has_password: false,
      email: 0,
      exclude_bots: 1,
      exclude_params: [],
      exclude_ips: [],
    });
    expect(updated_at).toBe(created_at);
    expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.now());
  });

  test("Location is the absolute URL of the record, where the same record and entity tag can be read", async () => {
    await using server = await startTestServer(engine);
    const created = await server.call("POST", path, { form: { domain: "example.com" } });
    expect(created.header("Location")).toBe(`${server.url}${path}/1`);
    const read = await server.call("GET", `${path}/1`);
    expect([read.status, read.text, read.etag]).toEqual([200, created.text, created.etag]);
  });

  test("Location begins with the public URL if one is set", async () => {
    await using server = await startTestServer(engine, { publicUrl: "https://siteward.example/base" });
    const created = await server.call("POST", path, { form: { domain: "example.com" } });
    expect(created.header("Location")).toBe("https://siteward.example/base/api/v1/websites/1");
    const refused = await server.call("POST", path, { form: {} });
    expect(refused.problem.type).toBe("https://siteward.example/base/docs/errors/validation_failed");
  });

  test("ids count from 1 in order of creation, in every account", async () => {
    await using server = await startTestServer(engine);
    const other = await server.addAccount();
    for (const key of [server.key, other.key]) {
      for (const id of [1, 2, 3]) {
        expect((await server.call("POST", path, { key, form: { domain: `site-${id}.example` } })).website.id).toBe(id);
      }
    }
  });

  test.for([
    ["privacy", [0, 1]],
    ["email", [0, 1]],
    ["exclude_bots", [0, 1]],
  ] as const)("%s accepts each of its values, in a form and in JSON", async ([field, values]) => {
    await using server = await startTestServer(engine);
    for (const value of values) {
      const form = await server.call("POST", path, { form: { domain: `form-${value}.example`, [field]: value } });
      const json = await server.call("POST", path, { json: { domain: `json-${value}.example`, [field]: value } });
      expect([form.website[field], json.website[field]]).toEqual([value, value]);
    }
  });

  test("privacy 2 accepts a password, which no answer contains", async () => {
    await using server = await startTestServer(engine);
    const created = await server.call("POST", path, {
      form: { domain: "example.com", privacy: 2, password: "correct horse" },
    });
    expect(created.website).toMatchObject({ privacy: 2, has_password: true });
    const list = await server.call("GET", path);
    expect(list.page.data[0]?.has_password).toBe(true);
    for (const answer of [created, list, await server.call("GET", `${path}/1`)]) {
      expect(answer.text).not.toMatch(/correct|horse|argon/);
    }
  });

  test.for([8, 256])("a password of %i characters is accepted, even if each is four bytes long", async (length) => {
    await using server = await startTestServer(engine);
    const json = { domain: "example.com", privacy: 2, password: "🔑".repeat(length) };
    expect((await server.call("POST", path, { json })).website.has_password).toBe(true);
  });

  test("an empty password counts as not sent", async () => {
    await using server = await startTestServer(engine);
    const created = await server.call("POST", path, { form: { domain: "example.com", password: "" } });
    expect(created.website.has_password).toBe(false);
    const refused = await server.call("POST", path, { form: { domain: "b.example", privacy: 2, password: "" } });
    expect(refused.problem.errors).toEqual({ password: [expect.stringContaining("is required")] });
  });

  test.for([
    ["exclude_params", "gclid\r\n\r\n utm_* \nGCLID,gclid", ["gclid", "utm_*", "GCLID"]],
    ["exclude_params", "", []],
    ["exclude_ips", "203.0.113.9/24,203.0.113.0/24\n203.0.113.7/32", ["203.0.113.0/24", "203.0.113.7"]],
    [
      "exclude_ips",
      "2001:DB8:0::1/128\n::ffff:198.51.100.1\n203.0.113.*",
      ["2001:db8::1", "198.51.100.1", "203.0.113.*"],
    ],
  ] as const)("%s stores %j as %j", async ([field, sent, stored]) => {
    await using server = await startTestServer(engine);
    const created = await server.call("POST", path, { form: { domain: "example.com", [field]: sent } });
    expect(created.website[field]).toEqual(stored);
  });

  test("the longest lists are accepted", async () => {
    await using server = await startTestServer(engine);
    const exclude_params = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(128, "x"));
    const exclude_ips = Array.from({ length: 500 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const created = await server.call("POST", path, { json: { domain: "example.com", exclude_params, exclude_ips } });
    expect(created.website).toMatchObject({ exclude_params, exclude_ips });
  });

  test.for([
    [" Example.COM. ", "example.com"],
    ["www.example.com", "www.example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
    [`${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`, undefined],
  ])("the domain %j is stored in canonical form", async ([sent = "", stored = sent]) => {
    await using server = await startTestServer(engine);
    expect((await server.call("POST", path, { form: { domain: sent } })).website.domain).toBe(stored);
  });
});

/** Field values that are refused, with the fields of the answer's `errors`. */
const refusals: ReadonlyArray<readonly [fields: Record<string, unknown>, refused: string[]]> = [
  [{ domain: undefined }, ["domain"]],
  [{ domain: "" }, ["domain"]],
  [{ domain: "https://example.com" }, ["domain"]],
  [{ domain: "example.com/path" }, ["domain"]],
  [{ domain: "example.com:8080" }, ["domain"]],
  [{ domain: "user@example.com" }, ["domain"]],
  [{ domain: "*.example.com" }, ["domain"]],
  [{ domain: "192.0.2.1" }, ["domain"]],
  [{ domain: "[2001:db8::1]" }, ["domain"]],
  [{ domain: "localhost" }, ["domain"]],
  [{ domain: "a..example" }, ["domain"]],
  [{ domain: `${"a".repeat(64)}.example` }, ["domain"]],
  [{ domain: `${"a.".repeat(126)}aa` }, ["domain"]],
  [{ domain: "example.123" }, ["domain"]],
  [{ domain: "a_b.example" }, ["domain"]],
  [{ domain: 5 }, ["domain"]],
  [{ domain: null }, ["domain"]],
  [{ domain: ["example.com"] }, ["domain"]],
  [{ privacy: 3 }, ["privacy"]],
  [{ privacy: -1 }, ["privacy"]],
  [{ privacy: "" }, ["privacy"]],
  [{ privacy: "public" }, ["privacy"]],
  [{ privacy: "01" }, ["privacy"]],
  [{ privacy: 0.5 }, ["privacy"]],
  [{ privacy: true }, ["privacy"]],
  [{ privacy: null }, ["privacy"]],
  [{ email: 2 }, ["email"]],
  [{ email: "yes" }, ["email"]],
  [{ exclude_bots: 2 }, ["exclude_bots"]],
  [{ exclude_bots: "true" }, ["exclude_bots"]],
  [{ exclude_params: "a b" }, ["exclude_params"]],
  [{ exclude_params: "*" }, ["exclude_params"]],
  [{ exclude_params: "x".repeat(129) }, ["exclude_params"]],
  [{ exclude_params: Array.from({ length: 101 }, (_, index) => `p${index}`) }, ["exclude_params"]],
  [{ exclude_params: [1] }, ["exclude_params"]],
  [{ exclude_params: { 0: "a" } }, ["exclude_params"]],
  [{ exclude_params: "a\u0000b" }, ["exclude_params"]],
  [{ exclude_ips: "203.0.113.256" }, ["exclude_ips"]],
  [{ exclude_ips: "203.0.113.0/33" }, ["exclude_ips"]],
  [{ exclude_ips: "example.com" }, ["exclude_ips"]],
  [{ exclude_ips: Array.from({ length: 501 }, (_, index) => `10.0.${index >> 8}.${index & 255}`) }, ["exclude_ips"]],
  [{ exclude_ips: null }, ["exclude_ips"]],
  [{ privacy: 2 }, ["password"]],
  [{ privacy: 2, password: "7 chars" }, ["password"]],
  [{ privacy: 2, password: "x".repeat(257) }, ["password"]],
  [{ privacy: 2, password: 12345678 }, ["password"]],
  [{ password: "correct horse" }, ["password"]],
  [{ privacy: 1, password: "correct horse" }, ["password"]],
  [{ unknown: 1 }, ["unknown"]],
  [{ id: 7 }, ["id"]],
  [{ has_password: true }, ["has_password"]],
  [{ created_at: "2026-01-01T00:00:00.000Z" }, ["created_at"]],
];

describeOnEveryEngine("create, 422", (engine) => {
  test.for(refusals)("%j is refused, and the answer names its field", async ([fields, refused]) => {
    await using server = await startTestServer(engine);
    const answer = await server.call("POST", path, { json: { domain: "example.com", ...fields } });
    expect(answer.refusal).toEqual([422, "validation_failed"]);
    expect(Object.keys(answer.problem.errors ?? {})).toEqual(refused);
    await expectNothingMade(server);
  });

  test("one answer names every bad field and what to send instead", async () => {
    await using server = await startTestServer(engine);
    const json = {
      domain: "https://example.com/",
      privacy: 1,
      password: "correct horse",
      email: 2,
      exclude_bots: "x",
      exclude_params: "*",
      exclude_ips: "1.2.3",
      colour: "red",
    };
    const { problem } = await server.call("POST", path, { json });
    const names = ["colour", "domain", "email", "exclude_bots", "exclude_ips", "exclude_params", "password"];
    expect(Object.keys(problem.errors ?? {}).sort()).toEqual(names);
    for (const messages of Object.values(problem.errors ?? {})) expect(messages.join()).toMatch(/send|leave it out/);
  });

  test("the detail has one sentence for each bad field", async () => {
    await using server = await startTestServer(engine);
    const { problem } = await server.call("POST", path, { json: { domain: 7, email: 2 } });
    expect(problem.detail).toBe(
      'Invalid request: domain is 7; send a host name such as "example.com". email is 2; send 0 (Disabled) or 1 (Enabled).',
    );
  });

  test("a bad entry of a list is named with its line", async () => {
    await using server = await startTestServer(engine);
    const form = { domain: "example.com", exclude_ips: "203.0.113.7\nnonsense\n2001:db8::1\n1.2.3.4/40" };
    const { problem } = await server.call("POST", path, { form });
    expect(problem.errors?.["exclude_ips"]).toEqual([
      expect.stringMatching(/^line 2: "nonsense"/),
      expect.stringMatching(/^line 4: "1\.2\.3\.4\/40"/),
    ]);
  });

  test.for<Pick<CallOptions, "form" | "json">>([
    { json: { domain: "example.com", exclude_ips: ["203.0.113.7", "nonsense"] } },
    { form: "domain=example.com&exclude_ips=203.0.113.7&exclude_ips=nonsense" },
  ])("a bad entry of an array is named with its position: %j", async (call) => {
    await using server = await startTestServer(engine);
    const { problem } = await server.call("POST", path, call);
    expect(problem.errors?.["exclude_ips"]).toEqual([expect.stringMatching(/^entry 2: "nonsense"/)]);
  });

  test.for([
    "domain=a.example&domain=b.example",
    "domain=a.example&privacy=0&privacy=1",
    "domain[]=a.example&domain=b.example",
    "domain=a.example&email=1&email[]=1",
  ])("a single field sent twice is refused: %s", async (form) => {
    await using server = await startTestServer(engine);
    const answer = await server.call("POST", path, { form });
    expect(answer.refusal).toEqual([422, "validation_failed"]);
    expect(Object.values(answer.problem.errors ?? {}).join()).toContain("more than once");
    await expectNothingMade(server);
  });

  test.for([
    `domain=example.com&${"a".repeat(1)}${"[b]".repeat(30)}=1`,
    "domain=example.com&constructor[prototype][privacy]=1",
    "domain=example.com&__proto__[privacy]=1",
    "domain=example.com&__proto__=1",
    "domain=example.com&domain[x]=a.example",
    "domain=example.com&exclude_ips[0]=203.0.113.7",
    "domain=example.com&toString=1",
    "domain=example.com&=1",
  ])("a form has no nesting, and no name has a special meaning: %s", async (form) => {
    await using server = await startTestServer(engine);
    const answer = await server.call("POST", path, { form });
    expect(answer.refusal).toEqual([422, "validation_failed"]);
    await expectNothingMade(server);
  });

  test.for(["null", "[]", '"example.com"', "5", `${"[".repeat(30_000)}${"]".repeat(30_000)}`])(
    "JSON that is not an object is refused: %.20s",
    async (body) => {
      await using server = await startTestServer(engine);
      const answer = await server.call("POST", path, { body, headers: { "Content-Type": "application/json" } });
      expect(answer.refusal).toEqual([422, "validation_failed"]);
      expect(Object.keys(answer.problem.errors ?? {})).toEqual(["body"]);
    },
  );

  test("JSON nested deeply inside a field is refused", async () => {
    await using server = await startTestServer(engine);
    const body = `{"domain":"example.com","exclude_ips":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
    const answer = await server.call("POST", path, { body, headers: { "Content-Type": "application/json" } });
    expect(answer.refusal).toEqual([422, "validation_failed"]);
  });

  test("a request without a body is refused, because it has no domain", async () => {
    await using server = await startTestServer(engine);
    expect((await server.call("POST", path)).problem.errors).toEqual({
      domain: [expect.stringContaining("is required")],
    });
  });

  test("the answer to seven thousand unknown fields stays small", async () => {
    await using server = await startTestServer(engine);
    const answer = await server.call("POST", path, {
      form: Array.from({ length: 7000 }, (_, index) => `f${index}=`).join("&"),
    });
    expect(answer.refusal).toEqual([422, "validation_failed"]);
    expect(answer.text.length).toBeLessThan(65_536);
  });

  test("a refused password is not repeated in the answer", async () => {
    await using server = await startTestServer(engine);
    for (const json of [
      { privacy: 2, password: ["hunter2-hunter2"] },
      { privacy: 1, password: "hunter2-hunter2" },
      { privacy: 2, password: "hunter2" },
    ]) {
      expect((await server.call("POST", path, { json })).text).not.toContain("hunter2");
    }
  });
});

describeOnEveryEngine("domain_taken, 409", (engine) => {
  test.for(["example.com", "EXAMPLE.com.", " example.com "])(
    "%j are the same domain, and the answer names its website",
    async (domain) => {
      await using server = await startTestServer(engine);
      await server.call("POST", path, { form: { domain: "first.example" } });
      await server.call("POST", path, { form: { domain: "example.com" } });
      const answer = await server.call("POST", path, { form: { domain } });
      expect(answer.refusal).toEqual([409, "domain_taken"]);
      expect(answer.problem.website_id).toBe(2);
    },
  );

  test("of twenty simultaneous requests for one domain, one creates it", async () => {
    await using server = await startTestServer(engine);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.call("POST", path, { form: { domain: "example.com" } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect((await server.call("GET", path)).page.meta.total).toBe(1);
  });

  test("another account may have the same domain", async () => {
    await using server = await startTestServer(engine);
    const other = await server.addAccount();
    for (const key of [server.key, other.key]) {
      expect((await server.call("POST", path, { key, form: { domain: "example.com" } })).status).toBe(201);
    }
  });
});

describeOnEveryEngine("website_limit_reached, 403", (engine) => {
  test("an account can create as many websites as its limit, even if more are requested at once", async () => {
    await using server = await startTestServer(engine);
    const { key } = await server.addAccount(3);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        server.call("POST", path, { key, form: { domain: `site-${index}.example` } }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(7);
    for (const answer of refused) {
      expect(answer.refusal).toEqual([403, "website_limit_reached"]);
      expect(answer.problem.limit).toBe(3);
    }
  });

  test("deleting a website makes room for another", async () => {
    await using server = await startTestServer(engine);
    const { key } = await server.addAccount(1);
    await server.call("POST", path, { key, form: { domain: "a.example" } });
    expect((await server.call("POST", path, { key, form: { domain: "b.example" } })).status).toBe(403);
    await server.call("DELETE", `${path}/1`, { key });
    expect((await server.call("POST", path, { key, form: { domain: "b.example" } })).website.id).toBe(2);
  });
});

async function expectNothingMade(server: TestServer): Promise<void> {
  expect((await server.call("GET", path)).page.data).toEqual([]);
}
