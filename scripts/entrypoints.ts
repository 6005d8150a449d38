/** What the binary is made of: the program, and the programs of its threads. */
export const ENTRYPOINTS = [
  "src/cli/guildhall.ts",
  "src/app/delivery-worker.ts",
  "src/app/checkpoint-worker.ts",
];
