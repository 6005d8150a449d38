/** Bun returns the text of a file imported `with { type: "text" }`. */
declare module "*.js" {
  const text: string;
  export default text;
}

declare module "*.svg" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}

/**
 * Bun returns the path of a file imported `with { type: "file" }`, which can also be read in the compiled
 * binary.
 */
declare module "*.ico" {
  const path: string;
  export default path;
}

declare module "*.woff2" {
  const path: string;
  export default path;
}

declare module "*.png" {
  const path: string;
  export default path;
}
