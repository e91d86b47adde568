/** The secret in a sign-in link's address. Both the schema and the app's router know its form, and the router loads no schemas. */
export const SIGN_IN_LINK: RegExp = /^[A-Za-z0-9_-]{43}$/;

export const isSignInLink = (value: unknown): value is string => typeof value === 'string' && SIGN_IN_LINK.test(value);
