export { toUnicodeDomain } from "@siteward/contract/domain";
