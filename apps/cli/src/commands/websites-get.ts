import type { Website } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import { presenceFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { parseId } from "../flags/option-values.ts";
import { openOutput } from "../output/output.ts";
import type { Column } from "../output/view.ts";
import { websiteView } from "../output/website-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const etagFlag = presenceFlag("--etag", "add the entity tag to the result, for --if-match");

/** A website with the entity tag that came with it; null if a proxy removed the tag. */
interface TaggedWebsite extends Website {
  readonly etag: string | null;
}

const taggedView = { ...websiteView, etag: { title: "Entity tag", inList: false } } satisfies Record<
  keyof TaggedWebsite,
  Column
>;

/** Sets up `siteward websites get`. */
export const websitesGet: CommandSetup = (command, io) => {
  command
    .argument("<id>", "ID of the website", parseId)
    .addOption(etagFlag.options[0])
    .addHelpText("after", examples(exampleLines))
    .action(async (id: number) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const isTagged = etagFlag.read(command.opts()) === true;
      const output = openOutput(io, flags, isTagged ? taggedView : websiteView);
      const siteward = await connect(io, flags);
      const { data, response } = await siteward.websites.get(id).withResponse();
      const tagged: TaggedWebsite = { ...data, etag: response.etag ?? null };
      await output.one(isTagged ? tagged : data);
    });
};

const exampleLines = [
  "siteward websites get 7",
  "siteward websites get 7 --fields exclude_ips -o csv",
  "siteward websites get 7 --etag --fields exclude_ips,etag",
];
