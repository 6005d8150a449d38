import { dlopen, FFIType } from "bun:ffi";
import { closeSync, writeSync } from "node:fs";

/** File names of the C library on Linux: glibc, and musl for both architectures. */
const LIBRARIES = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];
/** MFD_CLOEXEC (memfd_create(2)). */
const CLOSED_ON_EXEC = 1;

/**
 * Calls `use` with the path of a file that has these bytes and exists only in memory, until `use` returns.
 * Works only on Linux.
 */
export function withMemoryFile(bytes: Uint8Array, use: (path: string) => void): void {
  const { symbols, close } = openLibrary();
  try {
    const file = symbols.memfd_create(Buffer.from("guildhall\0"), CLOSED_ON_EXEC);
    if (file < 0) throw new Error("the system cannot create a file in memory");
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      use(`/proc/self/fd/${file}`);
    } finally {
      closeSync(file);
    }
  } finally {
    close();
  }
}

function openLibrary() {
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, {
        memfd_create: { args: [FFIType.cstring, FFIType.u32], returns: FFIType.i32 },
      });
    } catch {
      // This library is missing. Try the next name.
    }
  }
  throw new Error("no C library found to create a file in memory");
}
