import { isApiError, type Privacy, Siteward } from "@siteward/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";

let server: BuiltServer;
let siteward: Siteward;

beforeAll(async () => {
  // Two processes, so that simultaneous requests meet only in the database.
  server = await startBuiltServer({ SITEWARD_WORKERS: "2" });
  siteward = await connect();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe("an upsert", () => {
  test("creates the website or updates it, whichever comes first, and keeps the fields that are not passed", async () => {
    const { websites } = siteward;
    const created = await websites.upsert({ domain: "Bücher.example", email: 1 }).withResponse();
    const updated = await websites.upsert({ domain: "xn--bcher-kva.example", privacy: 1 }).withResponse();
    expect([created.response.status, updated.response.status]).toEqual([201, 200]);
    expect(updated.data).toMatchObject({ id: created.data.id, privacy: 1, email: 1 });

    const plain = await websites.create({ domain: "plain.example" });
    const passed = await websites.upsert({ ...plain, exclude_params: ["ref"] }).withResponse();
    expect([passed.response.status, passed.data]).toMatchObject([200, { id: plain.id, exclude_params: ["ref"] }]);
  });

  test("is one request if the website is new, and two if it exists", async () => {
    const methods: string[] = [];
    const { websites } = siteward.withOptions({ onRequest: ({ method }) => methods.push(method) });
    await websites.upsert({ domain: "counted.example" });
    await websites.upsert({ domain: "counted.example", email: 1 });
    expect(methods).toEqual(["POST", "POST", "PUT"]);
  });

  test("sets a password, keeps it, and clears it", async () => {
    const domain = "password.example";
    const password = "correct horse";
    expect(await siteward.websites.upsert({ domain, privacy: 2, password })).toMatchObject({ has_password: true });
    expect(await siteward.websites.upsert({ domain, email: 1 })).toMatchObject({ privacy: 2, has_password: true });
    expect(await siteward.websites.upsert({ domain, privacy: 0 })).toMatchObject({ privacy: 0, has_password: false });
  });

  test("needs a password for privacy 2, also if one is stored", async () => {
    const domain = "stored.example";
    await siteward.websites.upsert({ domain, privacy: 2, password: "correct horse" });
    await expect(siteward.websites.upsert({ domain, privacy: 2 })).rejects.toMatchObject({
      code: "validation_failed",
      errors: { password: [expect.stringMatching(/^is required/)] },
    });
  });

  test("updates a website of a full account, and creates no other", async () => {
    const full = await connect(1);
    await full.websites.upsert({ domain: "first.example" });
    expect(await full.websites.upsert({ domain: "First.example", email: 1 })).toMatchObject({ id: 1, email: 1 });
    await expect(full.websites.upsert({ domain: "second.example" })).rejects.toMatchObject({
      code: "website_limit_reached",
    });
  });
});

describe("upserts at the same time", () => {
  test("of one domain create it once, and all of them are stored", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const settings = { privacy: (index % 2) as Privacy, exclude_params: [`p${index}`] };
        return siteward.websites.upsert({ domain: "same.example", ...settings }).withResponse();
      }),
    );
    expect(outcomes.filter(({ response }) => response.status === 201)).toHaveLength(1);
    expect(new Set(outcomes.map(({ data }) => data.id)).size).toBe(1);
    for (const [index, { data }] of outcomes.entries()) {
      expect(data).toMatchObject({ privacy: index % 2, exclude_params: [`p${index}`] });
    }
    const last = await siteward.websites.getByDomain("same.example");
    expect(outcomes.map(({ data }) => data)).toContainEqual(last);
  });

  test("succeed while others delete the website again and again", async () => {
    let isDone = false;
    let deleted = 0;
    const remove = async () => {
      while (!isDone) {
        const website = await siteward.websites.getByDomain("deleted.example");
        const ended = website && siteward.websites.delete(website.id);
        await ended?.then(
          () => {
            deleted += 1;
          },
          (error) => {
            if (!isApiError(error, "not_found")) throw error;
          },
        );
      }
    };
    const upsert = async (worker: number) => {
      for (let round = 0; round < 20; round += 1) {
        const fields = { exclude_params: [`p${worker}-${round}`] };
        expect(await siteward.websites.upsert({ domain: "deleted.example", ...fields })).toMatchObject(fields);
      }
    };
    const removing = Promise.all([remove(), remove()]);
    await Promise.all([0, 1, 2, 3, 4].map(upsert)).finally(() => {
      isDone = true;
    });
    await removing;
    expect(deleted).toBeGreaterThan(0);
  });
});

async function connect(websiteLimit?: number): Promise<Siteward> {
  const { apiKey } = await server.createAccount(websiteLimit === undefined ? {} : { websiteLimit });
  return new Siteward({ apiKey, baseUrl: server.url });
}
