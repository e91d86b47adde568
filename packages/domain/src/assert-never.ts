/** Makes a forgotten case fail to compile, and fail loudly should bad data reach it at run time. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}
