/** Smaller ones are not worth the call. */
const minBytes = 4 * 1024;

/**
 * Frees the memory of bytes that nobody reads any more. V8 would free it with its next collection, and the bytes do not make that
 * come sooner: 1,800 bodies of 64 KiB that were refused in a second kept 118 MB. Does nothing if others may use the same memory.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  // Node takes small buffers from a pool.
  const isShared = !(buffer instanceof ArrayBuffer) || buffer.byteLength !== byteLength;
  if (byteLength >= minBytes && !isShared) buffer.transfer(0);
}
