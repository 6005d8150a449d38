/** Entry points of the binary: the program and its worker threads. */
export const ENTRYPOINTS = [
  "src/cli/guildhall.ts",
  "src/app/delivery-worker.ts",
  "src/app/checkpoint-worker.ts",
];
