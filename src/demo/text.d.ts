/** A picture that the bundler embeds; the import is its path. */
declare module "*.webp" {
  const path: string;
  export default path;
}
