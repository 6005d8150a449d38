/** Bun returns the text of a file imported `with { type: "text" }`. */
declare module "*.css" {
  const text: string;
  export default text;
}

declare module "*.md" {
  const text: string;
  export default text;
}
