import { expect, test, vi } from "vitest";
import { empty, json, problem, serve } from "./support/serve.ts";
import { website } from "./support/website.ts";

test("websites get with withResponse also returns status, entity tag, request id and headers, in one request", async () => {
  await using server = await serve(json(200, { data: website(7) }, { etag: '"3"', "x-request-id": "request-9" }));
  const call = server.siteward.websites.get(7);
  const { data, response } = await call.withResponse();
  expect(data).toEqual(await call);
  expect(response).toMatchObject({ status: 200, etag: '"3"', requestId: "request-9", retryCount: 0 });
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(server.seen).toMatchObject([{ method: "GET", url: "/api/v1/websites/7", body: "" }]);
});

test("websites create sends JSON: arrays as arrays, and no field that is undefined", async () => {
  await using server = await serve(json(201, { data: website(1) }));
  await server.siteward.websites.create({
    domain: "example.com",
    password: undefined,
    exclude_params: ["utm_*", "ref"],
    exclude_ips: "203.0.113.0/24\n2001:db8::1",
  });
  expect(server.seen[0]).toMatchObject({ method: "POST", url: "/api/v1/websites" });
  expect(server.seen[0]?.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(server.seen[0]?.body ?? "")).toEqual({
    domain: "example.com",
    exclude_params: ["utm_*", "ref"],
    exclude_ips: "203.0.113.0/24\n2001:db8::1",
  });
  expect(server.seen[0]?.body).not.toContain("undefined");
});

test("websites a call that nobody awaits is sent", async () => {
  await using server = await serve(empty(204));
  server.siteward.websites.delete(7).catch(() => {});
  await expect.poll(() => server.seen).toHaveLength(1);
});

test.each([0, -1, 1.5, Number.NaN, "..", "1/../2", undefined, null])(
  "websites refuses the id %j before anything is sent",
  async (id) => {
    await using server = await serve(empty(204));
    // A program without types may pass anything.
    await expect(server.siteward.websites.delete(id as number)).rejects.toThrow(
      "id must be a whole number of at least 1.",
    );
    expect(server.seen).toEqual([]);
  },
);

test("websites an ApiError names each invalid field and contains the full problem details", async () => {
  const errors = { domain: ["is empty"], privacy: ["must be 0, 1 or 2"] };
  await using server = await serve(problem(422, "validation_failed", { errors }));
  const call = server.siteward.websites.create({ domain: "" });
  await expect(call).rejects.toMatchObject({
    name: "ApiError",
    code: "validation_failed",
    status: 422,
    title: "Title",
    detail: "Detail of validation_failed.",
    errors,
    requestId: "request-1",
    problem: { type: "https://docs/validation_failed", errors },
    message:
      "Detail of validation_failed. domain is empty. privacy must be 0, 1 or 2. " +
      "(422 validation_failed, request request-1, POST /api/v1/websites)",
  });
});

test("websites an ApiError whose detail already names the fields does not repeat them", async () => {
  const errors = { domain: ["is empty"] };
  await using server = await serve(problem(422, "validation_failed", { detail: "Refused: domain is empty.", errors }));
  const call = server.siteward.websites.create({ domain: "" });
  await expect(call).rejects.toThrow(
    "Refused: domain is empty. (422 validation_failed, request request-1, POST /api/v1/websites)",
  );
});

test("websites finally and catch work as on any promise", async () => {
  await using server = await serve(problem(404, "not_found"), json(200, { data: website(2) }));
  expect(await server.siteward.websites.get(1).catch(() => "caught")).toBe("caught");
  const onEnd = vi.fn();
  expect((await server.siteward.websites.get(2).finally(onEnd)).id).toBe(2);
  expect(onEnd).toHaveBeenCalledOnce();
});
