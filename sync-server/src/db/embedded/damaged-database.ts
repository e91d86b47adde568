/** Thrown when PGlite cannot start on its files. What PGlite itself throws then is a stack of WebAssembly. */
export class DamagedDatabase extends Error {
  constructor(dir: string, cause: Error) {
    super(
      `The embedded database in ${dir} cannot be opened, probably because its files are damaged: put a backup in place with parley-server restore, which keeps the damaged files.`,
      { cause },
    );
  }
}
