import * as z from "zod";
import { scopes } from "../routes.ts";
import { interfaceSection } from "./interface-section.ts";

const time = "RFC 3339, in UTC, with milliseconds.";
const timestamp = z.iso.datetime({ precision: 3 });

/** The account that the API key belongs to (docs/interface.md, section 2). No endpoint changes it. */
export const account = z
  .strictObject({
    id: z.int().min(1).describe("Identifier of the account."),
    name: z.string().describe("Name of the account."),
    email: z.string().describe("E-mail address of the account."),
    websites: z
      .strictObject({
        count: z.int().min(0).describe("Number of websites in the account."),
        limit: z.int().min(0).nullable().describe("Largest number of websites in the account; null means no limit."),
      })
      .describe("How many websites the account has, and how many it can have."),
    created_at: timestamp.describe(`When the account was created. ${time}`),
    updated_at: timestamp.describe(`When the account was last changed. ${time}`),
    api_key: z
      .strictObject({
        name: z.string().describe("Name of the API key of this request."),
        prefix: z.string().describe("First characters of the API key, to identify it."),
        scopes: z.array(z.enum(scopes)).describe("The scopes of the API key."),
        created_at: timestamp.describe(`When the API key was created. ${time}`),
        expires_at: timestamp.nullable().describe(`When the API key expires; null means never. ${time}`),
        last_used_at: timestamp
          .nullable()
          .describe(`When the API key was last used, accurate to six minutes; null means never before. ${time}`),
      })
      .describe("The API key that sent the request."),
  })
  .meta({ id: "Account", description: `The account that the API key belongs to. See ${interfaceSection(2)}.` });

/** The account that the API key belongs to. */
export type Account = z.output<typeof account>;
