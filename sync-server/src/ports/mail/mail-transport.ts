/** The port for sending e-mail: an SMTP server or an outbox folder. */

export interface OutgoingMail {
  id: string;
  /** The message id, with angle brackets. It is the same for each attempt. */
  messageId: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * `deferred`: certainly not sent, try again. `refused`: certainly not sent, do not try again. `uncertain`: the
 * connection broke after the mail was sent and before the response.
 */
export type SendResult = { outcome: 'accepted' } | { outcome: 'deferred' | 'refused' | 'uncertain'; trouble: string };

export interface MailTransport {
  readonly name: string;
  /** Set when mails are only written to a folder of the server. */
  readonly writesToFolder?: true;
  /** Never throws for a response or a failure of the mail server. After the signal it gives up at once. */
  send: (mail: OutgoingMail, giveUp?: AbortSignal) => Promise<SendResult>;
}
