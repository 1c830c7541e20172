import { expect } from "vitest";
import { json, one, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";
import { neverMatch, refusedForms, refusedInCreate, refusedInUpdate } from "./refused-fields.ts";

const isRequired = 'is required; send a host name such as "example.com"';
const choice = "send 0 (Disabled) or 1 (Enabled)";
const list = "send an array of strings, or a string with entries separated by commas or line breaks";
const unknown = "is unknown; send only domain, privacy, password, email, exclude_bots, exclude_params, exclude_ips";

export const fieldRefusals: Guarantees = {
  "a refusal names every invalid field of a create with its message, also in its detail, and nothing is created":
    async (caller) => {
      const answer = await caller.create({
        privacy: 3,
        password: 7,
        email: "yes",
        exclude_bots: null,
        exclude_params: ["a b"],
        exclude_ips: ["1.2.3.256"],
        colour: "red",
      });
      expect(answer.fieldErrors).toEqual({
        domain: [isRequired],
        privacy: ["is 3; send 0 (Public), 1 (Private) or 2 (Password)"],
        password: ["is not a string; send a string of 8 to 256 characters"],
        email: [`is "yes"; ${choice}`],
        exclude_bots: [`is null; omit it or ${choice}`],
        exclude_params: [expect.stringContaining('"a b"')],
        exclude_ips: [expect.stringContaining('"1.2.3.256"')],
        colour: [unknown],
      });
      for (const messages of Object.values(answer.fieldErrors ?? {}))
        expect(messages.join()).toMatch(/send|leave it out/);
      const { fieldErrors } = await caller.create({ domain: null });
      const { problem } = await caller.create({ domain: 7, email: 2 });
      const first = 'domain is 7; send a host name such as "example.com".';
      expect(problem.detail).toBe(`Invalid request: ${first} email is 2; ${choice}.`);
      expect(fieldErrors).toEqual({ domain: ['is null; send a host name such as "example.com"'] });
      expect(await caller.count()).toBe(0);
    },
  "a field of a change that is in the query is refused instead of ignored, and nothing changes": async (caller) => {
    await caller.create({ domain: "a.example" });
    const before = await caller.get(one);
    for (const [method, path, body] of [
      ["PUT", `${one}?email=1`, {}],
      ["PUT", `${one}?privacy=1&exclude_ips[]=203.0.113.7`, { email: 1 }],
      ["POST", `${websites}?domain=b.example`, {}],
      ["POST", `${websites}?privacy=1`, { domain: "b.example" }],
    ] as const) {
      const answer = await caller.call(method, path, { json: body });
      for (const name of new URL(path, "http://a.example").searchParams.keys())
        expect(answer.fieldErrors?.[name.replace("[]", "")]?.[0]).toBe("is in the query; send it in the body");
      expect(answer.refusal).toEqual([422, "validation_failed"]);
    }
    expect((await caller.get(one)).text).toBe(before.text);
    expect(await caller.count()).toBe(1);
  },
  "each invalid value of a create is refused by the name of its field, and nothing is created": async (caller) => {
    for (const [fields, refused] of refusedInCreate) {
      const answer = await caller.create({ domain: "example.com", ...fields });
      expect([fields, answer.refusedNames]).toEqual([fields, refused]);
    }
    expect(await caller.count()).toBe(0);
  },
  "each invalid value of an update is refused by the name of its field, and nothing changes": async (caller) => {
    await caller.create({ domain: "example.com", privacy: 1, email: 1, exclude_bots: 0 });
    const before = await caller.get(one);
    for (const [fields, refused] of refusedInUpdate) {
      const answer = await caller.put(one, { email: 0, ...fields });
      expect([fields, answer.refusedNames]).toEqual([fields, refused]);
    }
    const after = await caller.get(one);
    expect([after.text, after.etag]).toEqual([before.text, before.etag]);
  },
  "a value of another kind is repeated, shortened if it is long, with what to send": async (caller) => {
    for (const [field, value, message] of [
      ["email", "", `is empty; ${choice}`],
      ["email", " 1", `is " 1"; ${choice}`],
      ["email", true, `is true; ${choice}`],
      ["email", "x".repeat(99), `is "${"x".repeat(60)}…"; ${choice}`],
      ["exclude_ips", { 0: "a" }, `is an object; ${list}`],
      // In one message: one for each took 90 ms.
      ["exclude_ips", Array(30_000).fill(1), `contains an entry that is not a string; ${list}`],
    ] as const) {
      expect((await caller.create({ domain: "a.example", [field]: value })).fieldErrors).toEqual({
        [field]: [message],
      });
    }
  },
  "an invalid entry of a list is named by its line, whatever ends it, or by its place in an array": async (caller) => {
    const domain = "example.com";
    const lines = "203.0.113.7\r\nnonsense\n\r1.2.3.4/40";
    const form = `${new URLSearchParams({ domain, exclude_ips: lines })}`;
    expect((await caller.call("POST", websites, { form })).fieldErrors).toEqual({
      exclude_ips: [expect.stringMatching(/^line 2: "nonsense"/), expect.stringMatching(/^line 4: "1\.2\.3\.4\/40"/)],
    });
    for (const options of [
      { json: { domain, exclude_ips: ["203.0.113.7", "nonsense"] } },
      { form: `domain=${domain}&exclude_ips=203.0.113.7&exclude_ips=nonsense` },
    ]) {
      expect((await caller.call("POST", websites, options)).fieldErrors).toEqual({
        exclude_ips: [expect.stringMatching(/^entry 2: "nonsense"/)],
      });
    }
  },
  "an entry that can never match is refused with the form to send instead": async (caller) => {
    for (const [field, send, entries] of neverMatch) {
      for (const entry of entries) {
        const { fieldErrors } = await caller.create({ domain: "a.example", [field]: [entry] });
        expect([entry, fieldErrors]).toEqual([entry, { [field]: [expect.stringContaining("; send ")] }]);
        const [, advice] = fieldErrors?.[field]?.[0]?.split("; send ") ?? [];
        expect([entry, advice]).toEqual([entry, expect.stringContaining(send)]);
      }
    }
    expect(await caller.count()).toBe(0);
  },
  "a domain cannot be changed, and a refusal names every invalid field of an update": async (caller) => {
    await caller.createAll(["a.example"]);
    const answer = await caller.put(one, { domain: "b.example", email: [1], id: 1 });
    expect(answer.fieldErrors).toEqual({
      domain: ["cannot be changed; create a website with the new domain and delete this one"],
      email: ["was sent more than once or as an array; send it once, as 0 (Disabled) or 1 (Enabled)"],
      id: ["is unknown; send only privacy, password, email, exclude_bots, exclude_params, exclude_ips"],
    });
    const all = {
      ...{ domain: "a.example", privacy: 9, password: "short", email: 9, exclude_bots: 9 },
      ...{ exclude_params: "*", exclude_ips: "x", unknown: 1 },
    };
    expect((await caller.put(one, all)).refusedNames.sort()).toEqual(Object.keys(all).sort());
  },
  "a single field that a form contains twice is refused": async (caller) => {
    const domain = ['was sent more than once or as an array; send it once, as a host name such as "example.com"'];
    const twice = await caller.call("POST", websites, { form: "domain=a.example&domain=b.example" });
    expect(twice.fieldErrors).toEqual({ domain });
    for (const [form, name] of [
      ["domain=a.example&privacy=0&privacy=1", "privacy"],
      ["domain[]=a.example&domain=b.example", "domain"],
      ["domain=a.example&email=1&email[]=1", "email"],
    ] as const) {
      const { fieldErrors } = await caller.call("POST", websites, { form });
      expect([form, fieldErrors]).toEqual([form, { [name]: [expect.stringContaining("more than once")] }]);
    }
    expect(await caller.count()).toBe(0);
    await caller.createAll(["a.example"]);
    for (const form of ["privacy=0&privacy=1", "email=1&email=1", "password=correct+horse&password=correct+horse"]) {
      expect((await caller.call("PUT", one, { form })).refusal).toEqual([422, "validation_failed"]);
    }
  },
  "a form has no nesting, and no name in it has a special meaning": async (caller) => {
    for (const form of refusedForms) {
      const answer = await caller.call("POST", websites, { form });
      expect([form, ...answer.refusal]).toEqual([form, 422, "validation_failed"]);
    }
    expect((await caller.call("POST", websites, { form: "__proto__=1&domain=a.example" })).refusedNames).toEqual([
      "__proto__",
    ]);
    expect(await caller.count()).toBe(0);
  },
  "a body that is no object is refused, and one without content has no fields": async (caller) => {
    const nested = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
    for (const body of ["[]", "null", "1", '"domain"']) {
      const answer = await caller.call("POST", websites, { body, headers: json });
      expect(answer.fieldErrors).toEqual({ body: ["must be a JSON object"] });
    }
    const objectsOf = (count: number) => `[${Array(count).fill("{}").join()}]`;
    for (const body of ["[".repeat(1_000) + "]".repeat(1_000), objectsOf(999)]) {
      const answer = await caller.call("POST", websites, { body, headers: json });
      expect(answer.fieldErrors).toEqual({ body: ["must be a JSON object"] });
    }
    const withNested = `{"domain":"example.com","exclude_ips":${nested}}`;
    for (const body of [nested, withNested, objectsOf(1_000), "[".repeat(1_001), "{".repeat(1_001)]) {
      expect((await caller.call("POST", websites, { body, headers: json })).fieldErrors).toEqual({
        body: ["has more than 1000 arrays and objects; send only fields that this operation accepts"],
      });
    }
    for (const options of [{}, { body: "", headers: json }, { body: "", headers: { "Content-Type": "text/plain" } }]) {
      expect((await caller.call("POST", websites, options)).fieldErrors).toEqual({ domain: [isRequired] });
    }
  },
  "more than 1,000 fields are refused at once, with a short answer": async (caller) => {
    const names = Array.from({ length: 7_000 }, (_, index) => `f${index}`);
    const formOf = (count: number) => names.slice(0, count).join("=&");
    const bodyOf = (count: number) =>
      JSON.stringify(Object.fromEntries(names.slice(0, count).map((name) => [name, 1])));
    const tooMany = ["has more than 1000 fields; send only fields that this operation accepts"];
    for (const count of [1_001, 7_000]) {
      for (const options of [{ form: formOf(count) }, { body: bodyOf(Math.min(count, 5_000)), headers: json }]) {
        const answer = await caller.call("POST", websites, options);
        expect(answer.fieldErrors).toEqual({ body: tooMany });
        expect(answer.text.length).toBeLessThan(65_536);
      }
    }
    expect((await caller.get(`${websites}?${formOf(1_001)}`)).fieldErrors).toEqual({ query: tooMany });
    for (const body of [`{"a":${bodyOf(1_000)}}`, ":".repeat(1_001)]) {
      expect((await caller.call("POST", websites, { body, headers: json })).fieldErrors).toEqual({ body: tooMany });
    }
    // Fewer are named, at most 100 of them, and each by the start of its name.
    for (const options of [{ form: formOf(1_000) }, { body: bodyOf(1_000), headers: json }]) {
      const { refusedNames } = await caller.call("POST", websites, options);
      expect([refusedNames.length, refusedNames.includes("body")]).toEqual([100, false]);
    }
    const long = await caller.call("POST", websites, {
      form: `domain=a.example&${"n".repeat(60_000)}=1&${"m".repeat(200)}`,
    });
    expect(long.refusedNames).toEqual([`${"n".repeat(200)}…`, "m".repeat(200)]);
  },
  "signs and names with a meaning in JSON have none in its strings, and a name has none twice below a field": async (
    caller,
  ) => {
    const entries = ['a":"b', "c\\", "{[", '"__proto__":1', "d}]"];
    const body = `{ "exclude_params" : ${JSON.stringify(entries.join())} ,\n"domain"\t:"a.example"}`;
    const { fieldErrors } = await caller.call("POST", websites, { body, headers: json });
    // Each sign is a sign of an entry.
    const refused = entries.slice(1).map((entry) => expect.stringContaining(`: ${JSON.stringify(entry)} `));
    expect(fieldErrors).toEqual({ exclude_params: refused });
    const names = '{"constructor":{"name":"prototype"},"prototype":1,"a":[{"e":1},{"e":2}],"b":{"e":1,"e":2}}';
    const answer = await caller.call("POST", websites, { body: names, headers: json });
    expect(answer.refusedNames.toSorted()).toEqual(["a", "b", "constructor", "domain", "prototype"]);
  },
  "a field may be in a form without a value, or however often, between any number of signs": async (caller) => {
    const form = `&&domain=a.example&exclude_ips&${"exclude_params=q&".repeat(3_000)}`;
    const { website } = await caller.call("POST", websites, { form });
    expect(website).toMatchObject({ domain: "a.example", exclude_ips: [], exclude_params: ["q"] });
  },
};
