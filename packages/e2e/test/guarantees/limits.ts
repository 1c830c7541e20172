import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

export const limits: Guarantees = {
  "a domain that exists gets a 409 that names its website, in any spelling": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example", "xn--bcher-kva.example"]);
    for (const domain of ["xn--bcher-kva.example", "Bücher.example", "XN--BCHER-KVA.example.", " bücher.example "]) {
      const answer = await caller.create({ domain });
      expect([domain, ...answer.refusal]).toEqual([domain, 409, "domain_taken"]);
      expect(answer.problem).toMatchObject({
        website_id: 2,
        detail:
          'Website 2 of this account already has the domain "xn--bcher-kva.example". ' +
          "Update that website, or choose another domain.",
      });
    }
    expect(await caller.count()).toBe(2);
  },
  "a full account gets a 403 with its limit, and has room again after a delete": async (service) => {
    const caller = new Caller(service, { websiteLimit: 2 });
    await caller.createAll(["a.example", "b.example"]);
    const answer = await caller.create({ domain: "c.example" });
    expect(answer.refusal).toEqual([403, "website_limit_reached"]);
    expect(answer.problem).toMatchObject({
      limit: 2,
      detail:
        "This account has reached its limit of 2 websites. Delete a website, or ask the operator for a higher limit.",
    });
    await caller.call("DELETE", `${websites}/1`);
    expect((await caller.create({ domain: "c.example" })).website.id).toBe(3);
  },
  "a domain that exists is named also if the account is full": async (service) => {
    const caller = new Caller(service, { websiteLimit: 1 });
    await caller.createAll(["a.example"]);
    expect((await caller.create({ domain: "a.example" })).refusal).toEqual([409, "domain_taken"]);
  },
};
