/** Inserts a separate paragraph into a Markdown text. */
interface InsertedBlock {
  text: string;
  /** Where the block ends. */
  cursor: number;
}

export function insertBlock(text: string, at: number, block: string): InsertedBlock {
  const [before, after] = [text.slice(0, at).trimEnd(), text.slice(at).trimStart()];
  const start = before === '' ? block : `${before}\n\n${block}`;
  return { text: after === '' ? `${start}\n` : `${start}\n\n${after}`, cursor: start.length };
}

/** A description is plain text, so its special characters are escaped. */
export const pictureMarkdown = (address: string, description: string): string =>
  `![${description
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\[\]`*_<&]/g, String.raw`\$&`)}](${address})`;
