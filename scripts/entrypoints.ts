/** What the binary is made of: the program, and the program of its delivery thread. */
export const ENTRYPOINTS = ["src/cli/guildhall.ts", "src/delivery-main.ts"];
