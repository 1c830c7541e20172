import { createWebsiteBody, updateWebsiteBody } from "@siteward/contract";
import { Privacy } from "@siteward/contract/plain";
import fc, { type Arbitrary } from "fast-check";
import { acceptsNothing, anyField, anyOddValue, anyValidSecret, type FieldSchema } from "./any-field.ts";
import { sometimes, weighted } from "./weighted.ts";

/** The fields of a body, by name. */
export type Fields = Readonly<Record<string, unknown>>;

export const anyCreateFields: Arbitrary<Fields> = anyFieldsOf(createWebsiteBody.shape);
export const anyUpdateFields: Arbitrary<Fields> = anyFieldsOf(updateWebsiteBody.shape);

/** Builds bodies from the fields of the contract, so that a field that is added to it is sent without a change here. */
function anyFieldsOf(shape: Readonly<Record<string, FieldSchema>>): Arbitrary<Fields> {
  const known = Object.entries(shape).filter(([, schema]) => !acceptsNothing(schema));
  const fields = Object.fromEntries(known.map(([name, schema]) => [name, anyField(name, schema)]));
  const faults = Object.keys(shape).filter((name) => fields[name] === undefined);
  const withPassword = { privacy: fc.constant(Privacy.Password), password: anyValidSecret };
  return weighted<Fields>(
    [150, fc.record(fields)],
    [1, fc.record({ ...fields, ...withPassword })],
    [7, fc.tuple(fc.record({ ...fields, ...unknownFields(faults) }), fc.boolean()).map(omitSome)],
  ).map(withoutUndefined);
}

function unknownFields(faults: readonly string[]): Record<string, Arbitrary<unknown>> {
  const names = ["Domain", "id", "has_password", "created_at", "x", "constructor", "toString", "data", "x".repeat(300)];
  return Object.fromEntries([...names, ...faults].map((name) => [name, sometimes(20, anyOddValue)]));
}

/** Half of these bodies do not have their first field, which a create requires. */
function omitSome([fields, isWithoutFirst]: readonly [Fields, boolean]): Fields {
  return isWithoutFirst ? Object.fromEntries(Object.entries(fields).slice(1)) : fields;
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
