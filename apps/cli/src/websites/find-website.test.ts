import { Siteward } from "@siteward/sdk";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { describe, expect, test } from "vitest";
import { findWebsite, findWebsiteId } from "./find-website.ts";
import { parseWebsiteReference } from "./website-reference.ts";

function startAccount() {
  const fake = createFakeSiteward({
    websites: [{ domain: "bücher.example" }, { domain: "www.example.com" }, { domain: "example.com" }],
  });
  return { fake, siteward: new Siteward({ ...fake.clientOptions, maxRetries: 0 }) };
}

test.each([
  ["3", 3],
  ["EXAMPLE.com.", 3],
  ["www.example.com", 2],
  ["Bücher.example", 1],
  ["xn--bcher-kva.example", 1],
])("%s names website %i", async (text, id) => {
  const { siteward } = startAccount();
  expect((await findWebsite(siteward, parseWebsiteReference(text))).id).toBe(id);
  expect(await findWebsiteId(siteward, parseWebsiteReference(text))).toBe(id);
});

test("the ID of a website that is named by its ID takes no request", async () => {
  const { fake, siteward } = startAccount();
  expect(await findWebsiteId(siteward, parseWebsiteReference("99"))).toBe(99);
  expect(fake.requests).toEqual([]);
});

describe("a domain that no website has", () => {
  test.each([
    ["ample.com", "No website has the domain ample.com."],
    ["Example.ORG", "No website has the domain Example.ORG."],
    ["MÜLLER.example", "No website has the domain MÜLLER.example (xn--mller-kva.example)."],
  ])("%s is named as it was typed, with the command that creates it", async (text, message) => {
    const { siteward } = startAccount();
    await expect(findWebsite(siteward, parseWebsiteReference(text))).rejects.toMatchObject({
      code: "not_found",
      message,
      next: `Create it with \`siteward websites create ${text}\`, or list your websites with \`siteward websites list\`.`,
    });
  });
});
