import { Siteward, type SitewardOptions } from "../../../src/index.ts";
import { createFakeSiteward, type FakeSiteward, type FakeSitewardOptions } from "../../../src/testing/index.ts";

/** A fake and a client of it that does not retry, so that a test sees each answer. */
interface OpenedFake {
  readonly fake: FakeSiteward;
  readonly siteward: Siteward;
}

export function openFake(options: FakeSitewardOptions = {}, clientOptions: SitewardOptions = {}): OpenedFake {
  const fake = createFakeSiteward(options);
  return { fake, siteward: new Siteward({ ...fake.clientOptions, maxRetries: 0, ...clientOptions }) };
}
