/**
 * Displays spoken text with typographic apostrophes and quotation marks. It is stored with straight ones, because it is
 * compared with what is recognised and typed. The length of the text does not change, so positions in it stay valid.
 * Only for display, never for stored or compared text.
 */
export const typographic = (text: string): string =>
  text
    .replaceAll(/(?<=^|[\s([{‘“—–-])"/g, '“')
    .replaceAll('"', '”')
    .replaceAll("'", '’');
