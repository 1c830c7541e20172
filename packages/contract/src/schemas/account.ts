import * as z from "zod";
import { scopes } from "../routes.ts";

const time = "RFC 3339, in UTC, with milliseconds.";
const timestamp = z.iso.datetime({ precision: 3 });

/** The account that the API key belongs to (interface, section 2). Read-only through the interface. */
export const account = z
  .strictObject({
    id: z.int().min(1).meta({ description: "Identifier of the account." }),
    name: z.string().meta({ description: "Name of the account." }),
    email: z.string().meta({ description: "E-mail address of the account." }),
    websites: z.strictObject({
      count: z.int().min(0).meta({ description: "How many websites the account holds." }),
      limit: z.int().min(0).nullable().meta({ description: "How many it may hold; null means no limit." }),
    }),
    created_at: timestamp.meta({ description: `When it was created. ${time}` }),
    updated_at: timestamp.meta({ description: `When it was last changed. ${time}` }),
    api_key: z.strictObject({
      name: z.string().meta({ description: "Name of the key that made this request." }),
      prefix: z.string().meta({ description: "Its first characters, by which it can be told from others." }),
      scopes: z.array(z.enum(scopes)).meta({ description: "What it may do." }),
      created_at: timestamp.meta({ description: `When it was made. ${time}` }),
      expires_at: timestamp.nullable().meta({ description: `When it stops; null means never. ${time}` }),
      last_used_at: timestamp.nullable().meta({
        description: `When it was last used, to within a minute; null means not before. ${time}`,
      }),
    }),
  })
  .meta({ id: "Account", description: "The account that the API key belongs to." });
