/** What every process measures: the names that Prometheus reads, in the order in which they are shown. */
export const families = {
  http_server_request_duration_seconds: {
    type: "histogram",
    help: "How long requests took, from their turn on the connection until the client had the answer.",
    labels: ["http_request_method", "http_route", "http_response_status_code"],
    // Those of OpenTelemetry begin with 5 ms. Most of our reads take less than 1.
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
  http_server_active_requests: { type: "gauge", help: "Requests in progress.", labels: [] },
  siteward_refused_requests_total: {
    type: "counter",
    help: "Requests that were answered with an error, by its code, or by what refused them if the code has several causes.",
    labels: ["reason"],
  },
  db_client_operation_duration_seconds: {
    type: "histogram",
    help: "How long calls of storage took, with their wait for the thread that writes or for a connection.",
    labels: ["db_operation_name", "outcome"],
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  db_client_connections: {
    type: "gauge",
    help: "Open connections to PostgreSQL.",
    labels: ["db_client_connection_pool_name", "db_client_connection_state"],
  },
  db_client_connection_max: {
    type: "gauge",
    help: "Connections to PostgreSQL that may be open, while none hangs.",
    labels: ["db_client_connection_pool_name"],
  },
  db_client_connection_pending_requests: {
    type: "gauge",
    help: "Callers that wait for a connection to PostgreSQL.",
    labels: ["db_client_connection_pool_name"],
  },
  siteward_storage_waiting_writes: {
    type: "gauge",
    help: "Changes that were sent to be stored and are not answered yet.",
    labels: [],
  },
  siteward_storage_write_groups_total: {
    type: "counter",
    help: "Groups of changes that were stored together.",
    labels: [],
  },
  siteward_storage_grouped_writes_total: {
    type: "counter",
    help: "Changes in these groups. Divided by the groups, this is the size of a group.",
    labels: [],
  },
  siteward_replica_lag_bytes: {
    type: "gauge",
    help: "How far a replica was behind the primary when it was last read.",
    labels: ["replica"],
    across: "max",
  },
  siteward_replica_reads_total: {
    type: "counter",
    help: "Reads that a replica could answer, by who answered them.",
    labels: ["answered_by"],
  },
  siteward_passwords_running: { type: "gauge", help: "Passwords that are being hashed.", labels: [] },
  siteward_passwords_waiting: { type: "gauge", help: "Passwords that wait to be hashed.", labels: [] },
  siteward_accounts: { type: "gauge", help: "Accounts, at most a minute ago.", labels: [], across: "max" },
  siteward_websites: {
    type: "gauge",
    help: "Websites of all accounts, at most a minute ago.",
    labels: [],
    across: "max",
  },
  siteward_last_backup_timestamp_seconds: {
    type: "gauge",
    help: "When the last backup with siteward-server backup was complete, in seconds since 1970.",
    labels: [],
    across: "max",
  },
  siteward_build_info: {
    type: "gauge",
    help: "The versions of the server and of Node.js. The value is 1.",
    labels: ["version", "node_version"],
    across: "max",
  },
  siteward_workers: { type: "gauge", help: "Processes that accept requests.", labels: [] },
  siteward_scrape_workers_missing: {
    type: "gauge",
    help: "Workers that did not answer this scrape in time. Their counters are as they were before.",
    labels: [],
  },
  process_cpu_seconds_total: {
    type: "counter",
    help: "Processor time of all processes.",
    labels: [],
    isInMicroseconds: true,
  },
  process_resident_memory_bytes: { type: "gauge", help: "Memory of all processes.", labels: [] },
  process_start_time_seconds: {
    type: "gauge",
    help: "When the oldest process started, in seconds since 1970.",
    labels: [],
    across: "min",
  },
  process_open_fds: { type: "gauge", help: "Open descriptors of all processes.", labels: [] },
  process_max_fds: {
    type: "gauge",
    help: "Descriptors that a process may open.",
    labels: [],
    across: "min",
  },
  nodejs_heap_size_used_bytes: { type: "gauge", help: "Used heap of all processes.", labels: [] },
  nodejs_heap_size_total_bytes: { type: "gauge", help: "Reserved heap of all processes.", labels: [] },
  nodejs_external_memory_bytes: { type: "gauge", help: "Memory outside of the heap, of all processes.", labels: [] },
  nodejs_eventloop_time_seconds_total: {
    type: "counter",
    help: "Time that the event loops of all processes were active or idle.",
    labels: ["nodejs_eventloop_state"],
    isInMicroseconds: true,
  },
  nodejs_eventloop_delay_seconds: {
    type: "histogram",
    help: "How late the event loop was, ten times a second in each process.",
    labels: [],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
} as const satisfies Record<string, Family>;

/** A metric and its labels. */
export interface Family {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** No label has a value that a client chooses: each value is a series, which Prometheus keeps. */
  readonly labels: readonly string[];
  /** The upper bounds of a histogram's buckets, in rising order. */
  readonly buckets?: readonly number[];
  /** Whether a counter of seconds is kept in microseconds. See `Series`. */
  readonly isInMicroseconds?: boolean;
  /** What several processes have together. The sum by default. */
  readonly across?: "sum" | "max" | "min";
}

export type FamilyName = keyof typeof families;
