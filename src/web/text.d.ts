/** Bun gives the text of a file imported `with { type: "text" }`. */
declare module "*.js" {
  const text: string;
  export default text;
}
