import { createWebsiteBody, updateWebsiteBody } from "@siteward/contract";
import { Privacy } from "@siteward/contract/plain";
import fc, { type Arbitrary } from "fast-check";
import { acceptsNothing, anyField, anyValidSecret, type FieldSchema } from "./any-field.ts";
import { weighted } from "./weighted.ts";

/** The fields of a body, by name. */
export type Fields = Readonly<Record<string, unknown>>;

export const anyCreateFields: Arbitrary<Fields> = anyFieldsOf(createWebsiteBody.shape);
export const anyUpdateFields: Arbitrary<Fields> = anyFieldsOf(updateWebsiteBody.shape);

/** Builds bodies from the fields of the contract, so that a field that is added to it is sent without a change here. */
function anyFieldsOf(shape: Readonly<Record<string, FieldSchema>>): Arbitrary<Fields> {
  const known = Object.entries(shape).filter(([, schema]) => !acceptsNothing(schema));
  const fields = Object.fromEntries(known.map(([name, schema]) => [name, anyField(name, schema)]));
  const withPassword = { privacy: fc.constant(Privacy.Password), password: anyValidSecret };
  return weighted<Fields>(
    [150, fc.record(fields)],
    [1, fc.record({ ...fields, ...withPassword })],
    [3, fc.record(fields, { requiredKeys: [] })],
  ).map(withoutUndefined);
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
