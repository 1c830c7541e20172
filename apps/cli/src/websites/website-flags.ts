import { Privacy, type UpdateWebsite } from "@siteward/sdk";
import { readSecretFromStdin } from "../client/secrets.ts";
import type { FieldFlag, FieldFlags } from "../flags/field-flags.ts";
import { presenceFlag } from "../flags/flag.ts";
import { refuseSharedStdin } from "../flags/request-flags.ts";
import { settingFlags } from "./setting-flags.ts";

const passwordStdin = presenceFlag("--password-stdin", "read the password from standard input");
const password: FieldFlag<string> = {
  options: passwordStdin.options,
  read: async (values, io) => {
    if (passwordStdin.read(values) === undefined) return undefined;
    refuseSharedStdin("--password-stdin", values);
    return await readSecretFromStdin(io, "--password-stdin");
  },
};

const { privacy, ...otherSettings } = settingFlags;

/** The flags for the fields of an update, which a create has too. */
export const websiteFlags: FieldFlags<UpdateWebsite> = { privacy, password, ...otherSettings };

/** Whether these fields set the privacy level "password" without sending a password. */
export function lacksPassword({ privacy, password }: UpdateWebsite): boolean {
  return privacy === Privacy.Password && password === undefined;
}
