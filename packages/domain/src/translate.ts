/** The message in the reader's language. A message is its English text, in ICU syntax. */
export type Translate = (message: string, values?: Readonly<Record<string, unknown>>) => string;

/** Joins two whole sentences, which some scripts do without a space. */
export const joinSentences = (t: Translate, sentences: readonly string[]): string =>
  sentences.reduce((first, second) => t('{first} {second}', { first, second }));
