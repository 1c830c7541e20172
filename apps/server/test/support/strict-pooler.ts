import { type Proxy as NetworkProxy, startProxy } from "@siteward/testing/proxy";

/** Starts a proxy that ends a connection which sends a named statement to be parsed again, as PgBouncer does. */
export function startStrictPooler(databaseUrl: string): Promise<NetworkProxy> {
  return startProxy(databaseUrl, ({ client }) => {
    const isNew = createNameCheck();
    return {
      sent(bytes) {
        if (isNew(bytes)) return bytes;
        client.end(nameInUse);
        return undefined;
      },
    };
  });
}

/** Returns a function that reads the next bytes of a connection, and says whether no name was sent twice. */
function createNameCheck(): (sent: Buffer) => boolean {
  const names = new Set<string>();
  let unread: Buffer = Buffer.alloc(0);
  // The first message has no type.
  let typeBytes = 0;
  return (sent) => {
    unread = Buffer.concat([unread, sent]);
    while (unread.length >= typeBytes + 4) {
      const length = typeBytes + unread.readUInt32BE(typeBytes);
      if (unread.length < length) return true;
      const isParse = typeBytes === 1 && unread.toString("latin1", 0, 1) === "P";
      const name = isParse ? unread.toString("utf8", 5, unread.indexOf(0, 5)) : "";
      if (names.has(name)) return false;
      if (name !== "") names.add(name);
      unread = unread.subarray(length);
      typeBytes = 1;
    }
    return true;
  };
}

const fields = Buffer.from("SFATAL\0VFATAL\0C08P01\0Mprepared statement name is already in use\0\0");
const nameInUse = Buffer.concat([Buffer.from("E"), Buffer.from([0, 0, 0, fields.length + 4]), fields]);
