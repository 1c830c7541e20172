import { copyFile, mkdtempDisposable, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Failure } from "../../src/testing/index.ts";
import { openFake } from "../testing/support/open-fake.ts";
import { inOrder, mirrorFake, type OpenedMirror } from "./support/open-mirror.ts";

const failures: readonly Failure[] = [
  { code: "cursor_expired" },
  { code: "unavailable" },
  { code: "unauthenticated" },
  { status: 500 },
  { status: 200, body: "{}" },
  { networkError: true },
  { networkError: true, when: "after" },
];

/** What happens to the service, to its answers, and to the program with the mirror. A number chooses among the websites. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("create" as const), domain: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("update" as const), website: fc.nat(), list: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("delete" as const), website: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fail" as const), failure: fc.constantFrom(...failures) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("sync" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("copy" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("restart" as const),
      file: fc.constantFrom("as it is" as const, "the copy" as const, "half" as const, "none" as const),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test("after any changes, failures and restarts, a mirror equals the list, and has told every difference", {
  timeout: 60_000,
}, async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-mirror-"));
      const program = new Program(join(folder.path, "websites.mirror"));
      await program.start();
      for (const one of steps) await program.take(one);
      await program.check();
    }),
    { numRuns: 60 },
  );
});

/** A program with a mirror, which keeps what the mirror tells. */
class Program {
  readonly #file: string;
  readonly #opened = openFake({ websites: [{ domain: "first.example" }] });
  readonly #told = new Map<number, unknown>();
  #current: OpenedMirror | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  async take(one: Step): Promise<void> {
    const { fake, other } = this.#opened;
    const ids = fake.websites.map(({ id }) => id);
    const id = one.kind === "update" || one.kind === "delete" ? ids[one.website % ids.length] : undefined;
    const domain = one.kind === "create" ? `site-${one.domain}.example` : "";
    if (one.kind === "create" && !fake.websites.some((website) => website.domain === domain))
      await other.websites.create({ domain });
    if (one.kind === "update" && id !== undefined)
      await other.websites.update(id, { exclude_params: [`list-${one.list}`] });
    if (one.kind === "delete" && id !== undefined) await other.websites.delete(id);
    // Those of the mirror alone.
    if (one.kind === "fail") fake.failNext({ ...one.failure, method: "GET" });
    if (one.kind === "sync") await this.#sync();
    if (one.kind === "copy") await copyFile(this.#file, `${this.#file}.copy`).catch(() => {});
    if (one.kind === "restart") await this.#restart(one.file);
  }

  async check(): Promise<void> {
    while (!(await this.#sync())) {
      // A failure that no request had met.
    }
    const { mirror } = this.#current ?? expect.unreachable();
    const { websites } = this.#opened.fake;
    expect(inOrder(mirror)).toEqual(websites);
    expect(new Map([...this.#told].toSorted(([left], [right]) => left - right))).toEqual(
      new Map(websites.map((website) => [website.id, website])),
    );
    for (const website of websites) expect(mirror.byDomain(website.domain)).toBe(mirror.byId(website.id));
    await mirror.close();
  }

  /** A file is due at each sync. */
  async #sync(): Promise<boolean> {
    vi.setSystemTime(Date.now() + 61_000);
    return await (this.#current?.mirror.sync() ?? Promise.resolve()).then(
      () => true,
      () => false,
    );
  }

  async #restart(file: "as it is" | "the copy" | "half" | "none"): Promise<void> {
    await this.#current?.mirror.close();
    if (file === "the copy") await copyFile(`${this.#file}.copy`, this.#file).catch(() => {});
    if (file === "half") {
      const text = await readFile(this.#file, "utf8").catch(() => "");
      await writeFile(this.#file, text.slice(0, text.length / 2));
      // A process was killed between the write and the rename.
      await writeFile(`${this.#file}.partial`, text);
    }
    if (file === "none") await rm(this.#file, { force: true });
    await this.start();
  }

  async start(): Promise<void> {
    this.#current = await mirrorFake(this.#opened, {
      file: this.#file,
      intervalMs: 1,
      onChange: ({ kind, website }) => {
        if (kind === "deleted") this.#told.delete(website.id);
        else this.#told.set(website.id, website);
      },
    });
    this.#told.clear();
    for (const website of this.#current.mirror) this.#told.set(website.id, website);
  }
}
