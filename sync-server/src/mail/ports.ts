/** What the server asks of whoever carries e-mails, be it SMTP or a folder. */

export interface OutgoingMail {
  id: string;
  /** With its angle brackets; the same at every try. */
  messageId: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * `deferred`: surely not sent, another try is worth it. `refused`: surely not sent, and never will be. `uncertain`: the line broke after
 * the last word and before the answer.
 */
export type HandOver = { outcome: 'accepted' } | { outcome: 'deferred' | 'refused' | 'uncertain'; trouble: string };

export interface MailTransport {
  readonly name: string;
  /** Never throws for what a mail server does. */
  send: (mail: OutgoingMail) => Promise<HandOver>;
}
