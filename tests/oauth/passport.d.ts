declare module "passport" {
  export class Passport {
    use(name: string, strategy: object): this;
    authenticate(
      name: string,
      options: { session: boolean },
      done: (error: unknown, user: unknown, info: unknown) => void,
    ): (request: object, response: object, next: (error: unknown) => void) => void;
  }
}

declare module "passport-openidconnect" {
  export class Strategy {
    constructor(
      options: Record<string, unknown>,
      verify: (issuer: string, profile: object, done: (error: unknown, user: unknown) => void) => void,
    );
  }
}
