/** The log of the host. It never contains a learner's words, audio, tokens or keys. */

type Write = (about: object, message: string) => void;

export interface Logger {
  info: Write;
  warn: Write;
  error: Write;
}
