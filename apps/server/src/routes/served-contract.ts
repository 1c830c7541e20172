import { contract } from "@siteward/contract";
import type { StandardSchemaV1 } from "@ts-rest/core";

const unvalidated: StandardSchemaV1 = {
  "~standard": { version: 1, vendor: "siteward", validate: (value) => ({ value }) },
};

/**
 * The contract as the server mounts it. The body of an update reaches its handler without validation: whether a password is
 * valid can depend on the stored record, which no schema can read, and one answer names every bad field.
 */
export const servedContract = {
  ...contract,
  websites: { ...contract.websites, update: { ...contract.websites.update, body: unvalidated } },
};

export type ServedContract = typeof servedContract;

/** One route of the contract as the server mounts it. */
export type ServedRoute = {
  [Resource in keyof ServedContract]: ServedContract[Resource][keyof ServedContract[Resource]];
}[keyof ServedContract];
