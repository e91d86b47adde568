/**
 * Shows what is said with the apostrophes and quotation marks of print. It is stored with those of a keyboard, because it is compared with
 * what is recognised and typed; the text keeps its length, so places in it stay valid. Only for display, never for what is stored or compared.
 */
export const typographic = (text: string): string =>
  text
    .replaceAll(/(?<=^|[\s([{‘“—–-])"/g, '“')
    .replaceAll('"', '”')
    .replaceAll("'", '’');
