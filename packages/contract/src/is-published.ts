/**
 * Whether the packages are on the npm registry. Until they are, anybody can take their names, so no text may tell a reader to install
 * or run one of them by its name: whoever took it would get API keys. Set it to true in the commit that is released first.
 */
export const isPublished: boolean = false;
