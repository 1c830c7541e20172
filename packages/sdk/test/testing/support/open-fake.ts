import { Siteward, type SitewardOptions } from "../../../src/index.ts";
import { createFakeSiteward, type FakeSiteward, type FakeSitewardOptions } from "../../../src/testing/index.ts";

/** A fake and two clients of it. */
interface OpenedFake {
  readonly fake: FakeSiteward;
  /** Does not retry, so that a test sees each answer. */
  readonly siteward: Siteward;
  /** Another program, which changes websites meanwhile. */
  readonly other: Siteward;
}

export function openFake(options: FakeSitewardOptions = {}, clientOptions: SitewardOptions = {}): OpenedFake {
  const fake = createFakeSiteward(options);
  const siteward = new Siteward({ ...fake.clientOptions, maxRetries: 0, ...clientOptions });
  return { fake, siteward, other: new Siteward(fake.clientOptions) };
}
