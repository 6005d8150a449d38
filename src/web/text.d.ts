/** Bun gives the text of a file imported `with { type: "text" }`. */
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

/** And of one imported `with { type: "file" }` where it is to be read, also inside of the binary. */
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
