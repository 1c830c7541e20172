import { describe, expect, test } from "vitest";
import { isApiError } from "../src/errors/api-error.ts";
import type { ChangeOptions } from "../src/options/call-options.ts";
import { empty, hangUp, json, problem, serve } from "./support/serve.ts";
import { website } from "./support/website.ts";

describe("ifMatch", () => {
  test("takes the entity tag of what was read, and is sent again with the same body in a retry", async () => {
    await using server = await serve(
      json(200, { data: website(7) }, { etag: '"7-3"' }),
      hangUp,
      json(200, { data: website(7) }),
    );
    const { websites } = server.siteward;
    const { data, response } = await websites.get(7).withResponse();
    await websites.update(data.id, { privacy: 1 }, { ifMatch: response.etag });
    const sent = ["PUT", '"7-3"', '{"privacy":1}'];
    expect(server.seen.slice(1).map(({ method, headers, body }) => [method, headers["if-match"], body])).toEqual([
      sent,
      sent,
    ]);
  });

  test.each([
    ['"7-3"', '"7-3"'],
    ['W/"7-3"', '"7-3"'],
    ['"7-3-gzip"', '"7-3"'],
    ["*", "*"],
  ])("of %s is sent with a delete as %s", async (ifMatch, sent) => {
    await using server = await serve(empty(204));
    expect(await server.siteward.websites.delete(7, { ifMatch })).toBeUndefined();
    const expected = { method: "DELETE", url: "/api/v1/websites/7", headers: { "if-match": sent } };
    expect(server.seen).toMatchObject([expected]);
  });

  test.each([undefined, "", "7-3", '"7-3', '"7-3", "7-4"', '"7\n"', "W/*", null])(
    "of %j is refused before anything is sent",
    async (ifMatch) => {
      await using server = await serve(empty(204));
      // A program without types may pass anything.
      const call = server.siteward.websites.delete(7, { ifMatch } as ChangeOptions);
      await expect(call).rejects.toMatchObject({
        code: "invalid_argument",
        message: expect.stringMatching(/^ifMatch must be an entity tag with its quotes/),
      });
      expect(server.seen).toEqual([]);
    },
  );

  test("fails with precondition_failed and the current entity tag, without a retry, if the record was changed", async () => {
    await using server = await serve(problem(412, "precondition_failed", {}, { etag: '"7-4"' }));
    const error: unknown = await server.siteward.websites
      .update(7, { privacy: 1 }, { ifMatch: '"7-3"' })
      .catch((reason: unknown) => reason);
    expect(isApiError(error, "precondition_failed") && error.headers.get("etag")).toBe('"7-4"');
    expect(server.seen).toHaveLength(1);
  });
});

test("a 304, because the caller passed If-None-Match, is the error not_modified", async () => {
  await using server = await serve(empty(304, { etag: '"7-3"' }));
  const call = server.siteward.websites.get(7, { headers: { "If-None-Match": '"7-3"' } });
  await expect(call).rejects.toMatchObject({
    name: "ApiError",
    code: "not_modified",
    status: 304,
    problem: undefined,
    message:
      `GET ${server.baseUrl}/api/v1/websites/7 returned no body, because If-None-Match has the current entity tag. ` +
      "(304 not_modified)",
  });
  expect(server.seen).toHaveLength(1);
});
