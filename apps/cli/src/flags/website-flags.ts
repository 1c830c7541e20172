import type { UpdateWebsite } from "@siteward/sdk";
import { readSecretFromStdin, readTextFile } from "../input/read-secret.ts";
import { privacyNames } from "../output/website-view.ts";
import type { FieldFlags } from "./field-flags.ts";
import { flag, presenceFlag, textFlag } from "./flag.ts";
import { collectEntries, parsePrivacy, parseSwitch, splitEntries } from "./option-values.ts";
import { refuseSharedStdin } from "./refuse-shared-stdin.ts";

const passwordStdin = presenceFlag("--password-stdin", "read the password from standard input");
const excludeIps = flag(
  "--exclude-ips <addresses>",
  "IP addresses to exclude; comma-separated, or repeat the flag",
  collectEntries,
);
const excludeIpsFile = textFlag(
  "--exclude-ips-file <path>",
  "file of IP addresses to exclude, one per line; # starts a comment",
);

/** The flags for the settings of a website. */
export const websiteFlags: FieldFlags<UpdateWebsite> = {
  privacy: flag("--privacy <level>", "who can see the statistics: public, private or password (0, 1, 2)", parsePrivacy),
  password: {
    options: passwordStdin.options,
    read: async (values, io) => {
      if (passwordStdin.read(values) === undefined) return undefined;
      refuseSharedStdin("--password-stdin", values);
      return await readSecretFromStdin(io, "--password-stdin");
    },
  },
  email: flag("--email <switch>", "e-mail reports: on or off (1, 0)", parseSwitch),
  exclude_bots: flag("--exclude-bots <switch>", "exclude bots from the statistics: on or off (1, 0)", parseSwitch),
  exclude_params: flag(
    "--exclude-params <names>",
    "URL parameters to exclude; comma-separated, or repeat the flag",
    collectEntries,
  ),
  exclude_ips: {
    options: [...excludeIps.options, ...excludeIpsFile.options],
    read: async (values) => {
      const path = excludeIpsFile.read(values);
      const ips = excludeIps.read(values);
      return path === undefined ? ips : [...(ips ?? []), ...(await readIpsOfFile(path))];
    },
  },
};

/** Whether these fields set the privacy level "password" without sending a password. */
export function lacksPassword({ privacy, password }: UpdateWebsite): boolean {
  return privacy !== undefined && privacyNames[privacy] === "password" && password === undefined;
}

async function readIpsOfFile(path: string): Promise<string[]> {
  const content = await readTextFile(path, "--exclude-ips-file");
  return splitEntries(content.replaceAll(/#.*$/gm, ""));
}
