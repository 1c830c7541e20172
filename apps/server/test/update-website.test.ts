import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import type { TestEngine } from "./support/test-database.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const path = "/api/v1/websites/1";
const initial = {
  domain: "example.com",
  privacy: 1,
  email: 1,
  exclude_bots: 0,
  exclude_params: "gclid",
  exclude_ips: "203.0.113.7",
};

describeOnEveryEngine("update, 200", (engine) => {
  test.for([
    ["privacy", 0],
    ["email", 0],
    ["exclude_bots", 1],
    ["exclude_params", ["utm_*"]],
    ["exclude_ips", ["2001:db8::/32", "203.0.113.*"]],
  ] as const)("only %s changes if only %s is sent", async ([field, value]) => {
    await using server = await startWithWebsite(engine);
    const before = await server.call("GET", path);
    const updated = await server.call("PUT", path, { json: { [field]: value } });
    expect(updated.status).toBe(200);
    expect(updated.website).toEqual({ ...before.website, [field]: value, updated_at: updated.website.updated_at });
    expect(updated.etag).not.toBe(before.etag);
    expect(updated.website.updated_at >= before.website.updated_at).toBe(true);
    const read = await server.call("GET", path);
    expect([read.text, read.etag]).toEqual([updated.text, updated.etag]);
  });

  test.for([
    ["privacy", [0, 1]],
    ["email", [0, 1]],
    ["exclude_bots", [0, 1]],
  ] as const)("%s accepts each of its values", async ([field, values]) => {
    await using server = await startWithWebsite(engine);
    for (const value of values) {
      expect((await server.call("PUT", path, { form: { [field]: value } })).website[field]).toBe(value);
    }
  });

  test.for([
    ["nothing", {}],
    ["an empty form", { form: "" }],
    ["an empty object", { json: {} }],
    [
      "the values that it has",
      { form: { privacy: 1, email: 1, exclude_bots: 0, exclude_params: "gclid", exclude_ips: "203.0.113.7/32" } },
    ],
  ] as const)("sending %s changes neither the record nor its entity tag", async ([, options]) => {
    await using server = await startWithWebsite(engine);
    const before = await server.call("GET", path);
    const updated = await server.call("PUT", path, options);
    expect([updated.status, updated.text, updated.etag]).toEqual([200, before.text, before.etag]);
  });

  test.for([
    ["exclude_params", { form: { exclude_params: "" } }],
    ["exclude_ips", { form: { exclude_ips: "" } }],
    ["exclude_params", { form: "exclude_params[]=" }],
    ["exclude_ips", { json: { exclude_ips: [] } }],
    ["exclude_ips", { json: { exclude_ips: " \n , " } }],
  ] as const)("an empty value clears %s: %j", async ([field, options]) => {
    await using server = await startWithWebsite(engine);
    const before = (await server.call("GET", path)).website;
    const updated = (await server.call("PUT", path, options)).website;
    expect(updated).toEqual({ ...before, [field]: [], updated_at: updated.updated_at });
  });

  test("every change sets a new strong entity tag, and changing back does not restore an old one", async () => {
    await using server = await startWithWebsite(engine);
    const tags = [(await server.call("GET", path)).etag];
    for (const email of [0, 1, 0]) tags.push((await server.call("PUT", path, { form: { email } })).etag);
    expect(new Set(tags).size).toBe(4);
  });

  test("simultaneous changes of different fields are all kept", async () => {
    await using server = await startWithWebsite(engine);
    const changes = [
      { privacy: 0 },
      { email: 0 },
      { exclude_bots: 1 },
      { exclude_params: "a" },
      { exclude_ips: "::1" },
    ];
    await Promise.all(changes.map((form) => server.call("PUT", path, { form })));
    expect((await server.call("GET", path)).website).toMatchObject({
      privacy: 0,
      email: 0,
      exclude_bots: 1,
      exclude_params: ["a"],
      exclude_ips: ["::1"],
    });
  });
});

describeOnEveryEngine("the password", (engine) => {
  test("is required to change to privacy 2, and can be sent with it", async () => {
    await using server = await startWithWebsite(engine);
    const refused = await server.call("PUT", path, { form: { privacy: 2 } });
    expect(refused.problem.errors).toEqual({ password: [expect.stringContaining("is required")] });
    const updated = await server.call("PUT", path, { form: { privacy: 2, password: "correct horse" } });
    expect(updated.website).toMatchObject({ privacy: 2, has_password: true });
    expect(updated.text).not.toMatch(/correct|horse|argon/);
  });

  test("is kept while privacy stays 2, whether privacy is sent or not", async () => {
    await using server = await startWithPassword(engine);
    const before = await server.call("GET", path);
    for (const form of [{ privacy: 2 }, { password: "" }, { privacy: 2, password: "" }]) {
      const updated = await server.call("PUT", path, { form });
      expect([updated.text, updated.etag]).toEqual([before.text, before.etag]);
    }
    expect((await server.call("PUT", path, { form: { email: 0 } })).website.has_password).toBe(true);
  });

  test("can be changed alone while privacy is 2, which sets a new entity tag", async () => {
    await using server = await startWithPassword(engine);
    const before = await server.call("GET", path);
    const updated = await server.call("PUT", path, { form: { password: "another horse" } });
    expect(updated.website).toMatchObject({ privacy: 2, has_password: true });
    expect(updated.etag).not.toBe(before.etag);
  });

  test.for([0, 1])("is deleted when privacy changes from 2 to %i, so changing back requires one", async (privacy) => {
    await using server = await startWithPassword(engine);
    expect((await server.call("PUT", path, { form: { privacy } })).website).toMatchObject({
      privacy,
      has_password: false,
    });
    const back = await server.call("PUT", path, { form: { privacy: 2 } });
    expect(back.problem.errors).toEqual({ password: [expect.stringContaining("is required")] });
  });

  test.for([
    { password: "correct horse" },
    { privacy: 0, password: "correct horse" },
    { privacy: 1, password: "correct horse" },
  ])("is refused if the resulting privacy is not 2: %j", async (form) => {
    await using server = await startWithWebsite(engine);
    const before = await server.call("GET", path);
    const refused = await server.call("PUT", path, { form });
    expect(refused.refusal).toEqual([422, "validation_failed"]);
    expect(refused.problem.errors).toEqual({ password: [expect.stringContaining("would protect nothing")] });
    expect(refused.text).not.toContain("horse");
    expect((await server.call("GET", path)).text).toBe(before.text);
  });

  test("is refused together with a change from privacy 2", async () => {
    await using server = await startWithPassword(engine);
    const refused = await server.call("PUT", path, { form: { privacy: 0, password: "another horse" } });
    expect(refused.refusal).toEqual([422, "validation_failed"]);
    expect((await server.call("GET", path)).website).toMatchObject({ privacy: 2, has_password: true });
  });

  test("never remains with privacy 0 if a change of the password and a change from privacy 2 are sent at once", async () => {
    await using server = await startWithPassword(engine);
    await Promise.all([
      server.call("PUT", path, { form: { password: "another horse" } }),
      server.call("PUT", path, { form: { privacy: 0 } }),
    ]);
    expect((await server.call("GET", path)).website).toMatchObject({ privacy: 0, has_password: false });
  });
});

/** Changes that are refused, with the fields of the answer's `errors`. */
const refusals: ReadonlyArray<readonly [fields: Record<string, unknown>, refused: string[]]> = [
  [{ privacy: 3 }, ["privacy"]],
  [{ privacy: "" }, ["privacy"]],
  [{ privacy: null }, ["privacy"]],
  [{ email: 2 }, ["email"]],
  [{ email: null }, ["email"]],
  [{ exclude_bots: "on" }, ["exclude_bots"]],
  [{ exclude_params: "a=b" }, ["exclude_params"]],
  [{ exclude_params: null }, ["exclude_params"]],
  [{ exclude_ips: "nonsense" }, ["exclude_ips"]],
  [{ password: "short" }, ["password"]],
  [{ password: null }, ["password"]],
  [{ privacy: 2, password: "x".repeat(257) }, ["password"]],
  [{ domain: "other.example" }, ["domain"]],
  [{ domain: "example.com" }, ["domain"]],
  [{ id: 1 }, ["id"]],
  [{ unknown: "" }, ["unknown"]],
];

describeOnEveryEngine("update, 422", (engine) => {
  test.for(refusals)("%j is refused, the answer names its field, and nothing changes", async ([json, refused]) => {
    await using server = await startWithWebsite(engine);
    const before = await server.call("GET", path);
    const answer = await server.call("PUT", path, { json: { email: 0, ...json } });
    expect(answer.refusal).toEqual([422, "validation_failed"]);
    expect(Object.keys(answer.problem.errors ?? {})).toEqual(refused);
    const after = await server.call("GET", path);
    expect([after.text, after.etag]).toEqual([before.text, before.etag]);
  });

  test("domain has its own message", async () => {
    await using server = await startWithWebsite(engine);
    const { problem } = await server.call("PUT", path, { form: { domain: "other.example" } });
    expect(problem.errors?.["domain"]).toEqual([expect.stringContaining("cannot be changed")]);
  });

  test("one answer names every bad field", async () => {
    await using server = await startWithWebsite(engine);
    const json = {
      domain: "a.example",
      privacy: 9,
      password: "short",
      email: 9,
      exclude_bots: 9,
      exclude_params: "*",
      exclude_ips: "x",
      unknown: 1,
    };
    const { problem } = await server.call("PUT", path, { json });
    expect(Object.keys(problem.errors ?? {}).sort()).toEqual(Object.keys(json).sort());
  });

  test.for([
    [{ password: "correct horse" }, "would protect nothing"],
    [{ privacy: 2 }, "is required"],
    [{ privacy: 0, password: "correct horse" }, "would protect nothing"],
  ] as const)(
    "one answer names a password that does not fit the stored record and other bad fields: %j",
    async ([fields, message]) => {
      await using server = await startWithWebsite(engine);
      const { problem } = await server.call("PUT", path, { json: { ...fields, email: 9, unknown: 1 } });
      expect(Object.keys(problem.errors ?? {}).sort()).toEqual(["email", "password", "unknown"]);
      expect(problem.errors?.["password"]).toEqual([expect.stringContaining(message)]);
    },
  );

  test("a password that fits the stored record is not named with other bad fields", async () => {
    await using server = await startWithPassword(engine);
    const { problem } = await server.call("PUT", path, { json: { password: "another horse", email: 9 } });
    expect(Object.keys(problem.errors ?? {})).toEqual(["email"]);
  });

  test.for(["privacy=0&privacy=1", "email=1&email=1", "password=correct+horse&password=correct+horse"])(
    "a single field sent twice is refused: %s",
    async (form) => {
      await using server = await startWithWebsite(engine);
      expect((await server.call("PUT", path, { form })).refusal).toEqual([422, "validation_failed"]);
    },
  );
});

describeOnEveryEngine("delete, 204", (engine) => {
  test("the response is empty, and the record is gone from the list and the count", async () => {
    await using server = await startWithWebsite(engine);
    const answer = await server.call("DELETE", path);
    expect([answer.status, answer.text, answer.header("Content-Type")]).toEqual([204, "", null]);
    expect((await server.call("GET", "/api/v1/websites")).page).toMatchObject({ data: [], meta: { total: 0 } });
    expect((await server.call("GET", "/api/v1/account")).account.websites.count).toBe(0);
  });

  test("of ten simultaneous deletions, one finds the record", async () => {
    await using server = await startWithWebsite(engine);
    const answers = await Promise.all(Array.from({ length: 10 }, () => server.call("DELETE", path)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect((await server.call("GET", "/api/v1/account")).account.websites.count).toBe(0);
  });

  test("its domain can be used again", async () => {
    await using server = await startWithWebsite(engine);
    await server.call("DELETE", path);
    expect((await server.call("POST", "/api/v1/websites", { form: { domain: "example.com" } })).website.id).toBe(2);
  });
});

async function startWithWebsite(engine: TestEngine): Promise<TestServer> {
  const server = await startTestServer(engine);
  await server.call("POST", "/api/v1/websites", { form: initial });
  return server;
}

async function startWithPassword(engine: TestEngine): Promise<TestServer> {
  const server = await startWithWebsite(engine);
  await server.call("PUT", path, { form: { privacy: 2, password: "correct horse" } });
  return server;
}
