/** Bun gives the text of a file imported `with { type: "text" }`. */
declare module "*.service" {
  const text: string;
  export default text;
}

declare module "*.sysusers" {
  const text: string;
  export default text;
}
