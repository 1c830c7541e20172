export { toUnicodeDomain } from "@siteward/contract/plain";
