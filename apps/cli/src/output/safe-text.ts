export { safeLines, safeText } from "@siteward/start/safe-text";
