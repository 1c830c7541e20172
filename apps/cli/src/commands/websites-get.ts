import type { View } from "../output/view.ts";
import { findWebsite, findWebsiteId, parseWebsiteReference, type WebsiteReference } from "../websites/find-website.ts";
import { websiteView } from "../websites/website-view.ts";
import type { CommandDefinition } from "./command.ts";

const taggedView: View = { ...websiteView, etag: { title: "Entity tag", inList: false } };

/** `siteward websites get`. */
export const command: CommandDefinition<{ readonly etag?: true }> = {
  declare: (command) =>
    command
      .argument("<website>", "ID or domain of the website", parseWebsiteReference)
      .option("--etag", "add the entity tag to the result, for --if-match"),
  examples: [
    "siteward websites get example.com",
    "siteward websites get 7 --fields exclude_ips -o csv",
    "siteward websites get example.com --etag --fields exclude_ips,etag",
  ],
  view: taggedView,
  run: async ({ flags, openOutput, connect }, reference: WebsiteReference) => {
    const output = openOutput(flags.etag === true ? taggedView : websiteView);
    const siteward = await connect();
    if (flags.etag !== true) return await output.one(await findWebsite(siteward, reference));
    // Only the answer to a request by ID has an entity tag.
    const id = await findWebsiteId(siteward, reference);
    const { data, response } = await siteward.websites.get(id).withResponse();
    // A proxy may have removed it.
    await output.one({ ...data, etag: response.etag ?? null });
  },
};
