import { type Contract, contract } from "@siteward/contract";

/** A schema by the Standard Schema specification (https://standardschema.dev), with the members that are read here. */
interface Unvalidated {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly types?: { readonly input: unknown; readonly output: unknown };
  };
}

const unvalidated: Unvalidated = {
  "~standard": { version: 1, vendor: "siteward", validate: (value) => ({ value }) },
};

/**
 * The contract as the service mounts it. The body of an update reaches its handler without validation: whether a password is
 * valid can depend on the stored record, which no schema can read, and one answer names every bad field.
 *
 * Its type is stated, because a declaration would otherwise repeat all schemas.
 */
export const servedContract: ServedContract = {
  ...contract,
  websites: { ...contract.websites, update: { ...contract.websites.update, body: unvalidated } },
};

export type ServedContract = Replace<
  Contract,
  "websites",
  Replace<Contract["websites"], "update", Replace<Contract["websites"]["update"], "body", Unvalidated>>
>;

type Replace<Whole, Name extends keyof Whole, Part> = {
  readonly [Member in keyof Whole]: Member extends Name ? Part : Whole[Member];
};

/** One route of the contract as the service mounts it. */
export type ServedRoute = {
  [Resource in keyof ServedContract]: ServedContract[Resource][keyof ServedContract[Resource]];
}[keyof ServedContract];
