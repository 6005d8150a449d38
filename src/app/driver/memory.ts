import { dlopen, FFIType } from "bun:ffi";
import { closeSync, writeSync } from "node:fs";

/** As the C libraries of Linux are called: glibc, and musl for both kinds of processor. */
const LIBRARIES = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];
/** MFD_CLOEXEC (memfd_create(2)). */
const CLOSED_ON_EXEC = 1;

/**
 * Calls `use` with the path of a file that holds `bytes` and lies nowhere but in memory, as long as that
 * runs. Linux alone has such files.
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
      // The next one.
    }
  }
  throw new Error("no C library found to create a file in memory");
}
