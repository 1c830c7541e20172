import type { Siteward, Website } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import { presenceFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { openOutput } from "../output/output.ts";
import type { Column } from "../output/view.ts";
import { findWebsite, findWebsiteId } from "../websites/find-website.ts";
import { parseWebsiteReference, type WebsiteReference } from "../websites/website-reference.ts";
import { websiteView } from "../websites/website-view.ts";
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
    .argument("<website>", "ID or domain of the website", parseWebsiteReference)
    .addOption(etagFlag.options[0])
    .addHelpText("after", examples(exampleLines))
    .action(async (reference: WebsiteReference) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const isTagged = etagFlag.read(command.opts()) === true;
      const output = openOutput(io, flags, isTagged ? taggedView : websiteView);
      const siteward = await connect(io, flags);
      await output.one(isTagged ? await getTagged(siteward, reference) : await findWebsite(siteward, reference));
    });
  return taggedView;
};

const exampleLines = [
  "siteward websites get example.com",
  "siteward websites get 7 --fields exclude_ips -o csv",
  "siteward websites get example.com --etag --fields exclude_ips,etag",
];

/** Only the answer to a request by ID has an entity tag. */
async function getTagged(siteward: Siteward, reference: WebsiteReference): Promise<TaggedWebsite> {
  const id = await findWebsiteId(siteward, reference);
  const { data, response } = await siteward.websites.get(id).withResponse();
  return { ...data, etag: response.etag ?? null };
}
