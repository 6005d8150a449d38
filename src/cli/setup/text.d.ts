/** Bun imports these files as text, `with { type: "text" }`. */
declare module "*.service" {
  const text: string;
  export default text;
}

declare module "*.sysusers" {
  const text: string;
  export default text;
}
