import type { Contract } from "@siteward/contract";
import { createWebsite } from "./create-website.ts";
import { deleteWebsite } from "./delete-website.ts";
import { getAccount } from "./get-account.ts";
import { getWebsite } from "./get-website.ts";
import { listWebsites } from "./list-websites.ts";
import type { Operation } from "./operation.ts";
import { updateWebsite } from "./update-website.ts";

/** Each operation of the contract. If one is missing, this does not compile. */
export const operations: {
  readonly [Resource in keyof Contract]: {
    readonly [Name in keyof Contract[Resource]]: Operation<Contract[Resource][Name]>;
  };
} = {
  websites: {
    list: listWebsites,
    get: getWebsite,
    create: createWebsite,
    update: updateWebsite,
    delete: deleteWebsite,
  },
  account: { get: getAccount },
};

/** One route of the contract, with its schemas. */
export type ServedRoute = {
  [Resource in keyof Contract]: Contract[Resource][keyof Contract[Resource]];
}[keyof Contract];
