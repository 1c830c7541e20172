import type { ServedContract } from "../request/served-contract.ts";
import { createWebsite } from "./create-website.ts";
import { deleteWebsite } from "./delete-website.ts";
import { getAccount } from "./get-account.ts";
import { getWebsite } from "./get-website.ts";
import { listWebsites } from "./list-websites.ts";
import type { Operation } from "./operation.ts";
import { updateWebsite } from "./update-website.ts";

/** Each operation of the contract. If one is missing, this does not compile. */
export const operations: {
  readonly [Resource in keyof ServedContract]: {
    readonly [Name in keyof ServedContract[Resource]]: Operation<ServedContract[Resource][Name]>;
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
