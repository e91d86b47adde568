/** Turns a missing case into a compile error, and throws if unexpected data reaches it at run time. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}
