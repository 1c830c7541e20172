/**
 * The search index, of the ASCII and of the Unicode forms of domains. A website without a Unicode form is not in the second one, and
 * costs nothing. Some engines that speak the protocol do not support functions in an index. There, search uses a pattern.
 *
 * A search reads all records that are not yet merged into the index, so `gin_pending_list_limit` keeps them few. Without
 * statistics, the engine assumes that any part of a domain is rare, and uses the index. The function is not marked as parallel
 * safe, because a parallel plan takes longer to start than a search takes. Written in SQL, it would take two thirds longer.
 */
export const postgresSearchIndex = [
  `create function website_grams(account_id bigint, domain text) returns text[]
      language plpgsql immutable strict as $$
        declare
          account text := account_id::text || ':';
          grams text[] := '{}';
        begin
          for start in 1 .. length(domain) loop
            grams := grams || array[
              account || substr(domain, start, 1), account || substr(domain, start, 2), account || substr(domain, start, 3)
            ];
          end loop;
          return grams;
        end
      $$`,
  `create index websites_search on websites using gin (website_grams(account_id, domain))
  with (gin_pending_list_limit = 256)`,
  "alter index websites_search alter column 1 set statistics 0",
  `create index websites_unicode_search on websites using gin (website_grams(account_id, unicode_domain))
  with (gin_pending_list_limit = 256) where unicode_domain is not null`,
  "alter index websites_unicode_search alter column 1 set statistics 0",
];
