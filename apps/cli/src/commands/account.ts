import { accountView } from "../output/account-view.ts";
import type { CommandDefinition } from "./command.ts";

/** `siteward account`. */
export const command: CommandDefinition = {
  examples: ["siteward account", "siteward account --fields websites --output yaml"],
  view: accountView,
  run: async ({ openOutput, connect }) => {
    const output = openOutput();
    const siteward = await connect();
    await output.one(await siteward.account.get());
  },
};
