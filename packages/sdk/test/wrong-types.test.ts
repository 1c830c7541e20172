import { expect, test } from "vitest";
import { InvalidArgumentError } from "../src/errors/siteward-error.ts";
import { Siteward } from "../src/siteward.ts";
import { apiKey } from "./support/keys.ts";
import { empty, serve } from "./support/serve.ts";

// A program without types may pass anything.
type Wrong = never;
const refuses = (name: string) => new InvalidArgumentError(`${name} must be a plain object.`);

test.each([null, 5, "swk_secret", [], undefined])(
  "what must be a plain object is refused as options if it is %j",
  (options) => {
    // A client needs no options. One with others does.
    if (options !== undefined) expect(() => new Siteward(options as Wrong)).toThrow(refuses("options"));
    expect(() => new Siteward({ apiKey }).withOptions(options as Wrong)).toThrow(refuses("options"));
  },
);

test.each<[string, (siteward: Siteward, value: Wrong) => PromiseLike<unknown>, string]>([
  ["create", ({ websites }, value) => websites.create(value), "input"],
  ["update", ({ websites }, value) => websites.update(1, value), "input"],
  ["upsert", ({ websites }, value) => websites.upsert(value), "input"],
  ["request", (siteward, value) => siteward.request(value), "request"],
  ["list", ({ websites }, value) => websites.list(value ?? (null as Wrong)), "query"],
  ["get", ({ websites }, value) => websites.get(1, value ?? (null as Wrong)), "options"],
  ["delete", ({ websites }, value) => websites.delete(1, value ?? (null as Wrong)), "options"],
])("what must be a plain object is refused by %s, which sends nothing", async (_name, call, argument) => {
  await using server = await serve(empty(204));
  for (const value of [undefined, null, 5, "example.com", [], new Map()]) {
    await expect(call(server.siteward, value as Wrong)).rejects.toThrow(refuses(argument));
  }
  expect(server.seen).toEqual([]);
});
