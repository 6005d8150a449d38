/** Bun returns the text of a file imported `with { type: "text" }`. */
declare module "*.sql" {
  const text: string;
  export default text;
}
