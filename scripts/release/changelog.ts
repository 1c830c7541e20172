/** What changesets calls to write a changelog. Its own formatter repeats "Updated dependencies" with a commit for each changeset. */
const changelog = {
  getReleaseLine: ({ summary }: { readonly summary: string }): string => {
    const [first, ...others] = summary.trim().split("\n");
    const lines = [`- ${first}`, ...others.map((line) => `  ${line}`)];
    return lines.map((line) => line.trimEnd()).join("\n");
  },
  getDependencyReleaseLine: (
    _changesets: readonly unknown[],
    updated: readonly { readonly name: string; readonly newVersion: string }[],
  ): string => updated.map(({ name, newVersion }) => `- Uses ${name} ${newVersion}.`).join("\n"),
};

export default changelog;
