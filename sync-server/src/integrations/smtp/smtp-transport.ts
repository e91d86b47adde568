/** Hands mails to a mail server and reports the outcome: accepted, not sent, or unknown. */
import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { SendResult, MailTransport } from '../../ports/mail/mail-transport.ts';
import { isAddress, toNodemailer } from './envelope.ts';

export interface SmtpTransportOptions {
  /** `smtps://user:password@host:465`, or `smtp://host:587`, which upgrades to TLS when the server offers it. */
  url: string;
  from: string;
  /** Return path of undeliverable mail; null uses `from`. */
  returnPath?: string | null;
  /** How long a mail server may stay silent. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;

export function createSmtpTransport({
  url,
  from,
  returnPath = null,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: SmtpTransportOptions): MailTransport {
  return {
    name: 'smtp',
    async send(mail, giveUp) {
      if (!isAddress(mail.to)) return { outcome: 'refused', trouble: 'the recipient is not one valid address' };
      // Each mail uses its own connection: a pooled one resends a mail on its own when it breaks.
      const transport = createTransport(
        { url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
        {},
      );
      let wasTransmitted = false;
      transport.use('stream', (composed, done) => {
        const { message } = composed;
        const createReadStream = message.createReadStream.bind(message);
        // The mail server receives the message only after it has accepted it, so once the stream has been read to its
        // end, the server may have it.
        message.createReadStream = (options) => createReadStream(options).once('end', () => (wasTransmitted = true));
        done();
      });
      try {
        const envelope = returnPath === null ? {} : { envelope: { from: returnPath, to: [mail.to] } };
        await transport.sendMail({ ...toNodemailer(mail, from), ...envelope, ...(giveUp && { signal: giveUp }) });
        return { outcome: 'accepted' };
      } catch (error) {
        return toHandOverFailure(error as SmtpError, wasTransmitted);
      } finally {
        transport.close();
      }
    },
  };
}

export interface SmtpCheck extends Pick<SmtpTransportOptions, 'url' | 'from'> {
  to: string;
  timeoutMs: number;
}

/**
 * Offers a mail to the recipient, up to the point where the mail server asks for its text, and sends nothing. Returns
 * what went wrong in one line, or null.
 */
export async function checkSmtp({ url, from, to, timeoutMs }: SmtpCheck): Promise<string | null> {
  const transport = createTransport(
    { url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    {},
  );
  const accepted = new AbortController();
  transport.use('stream', (composed, done) => {
    // The text is read only once the mail server has accepted the sender and the recipient.
    composed.message.createReadStream = () => new Readable({ read: () => accepted.abort() });
    done();
  });
  try {
    await transport.sendMail({ from, to: { name: '', address: to }, text: '', signal: accepted.signal });
    return null;
  } catch (error) {
    return accepted.signal.aborted ? null : (error as SmtpError).message.replaceAll(/\s+/g, ' ');
  } finally {
    transport.close();
  }
}

interface SmtpError extends Error {
  /** The command that was answered. */
  command?: string;
  responseCode?: number;
  response?: string;
}

/**
 * Only an answer about this mail or its recipient is final. A rejected login or sender is our configuration error, and the mail is sent
 * once that is fixed.
 */
const MESSAGE_COMMANDS = new Set(['RCPT TO', 'DATA']);

/**
 * The enhanced status code (RFC 3463), which says what a response is about: in `550 5.4.5 Daily sending limit
 * exceeded`, the relay itself.
 */
const ENHANCED_STATUS = /^\d{3}[ -](\d\.\d{1,3})\.(\d{1,3})\b/;
const ABOUT_RECIPIENT = new Set(['5.0', '5.1', '5.2']);
/** Details of class 5.1 that concern the sender. */
const ABOUT_SENDER = new Set(['7', '8']);
/** The mailbox is full, which is temporary. */
const MAILBOX_FULL = '5.2.2';

function isAboutRecipient(response: string): boolean {
  const [, subject, detail = ''] = ENHANCED_STATUS.exec(response) ?? [];
  if (subject === undefined) return true;
  if (subject === '5.1' && ABOUT_SENDER.has(detail)) return false;
  return ABOUT_RECIPIENT.has(subject) && `${subject}.${detail}` !== MAILBOX_FULL;
}

function toHandOverFailure(
  { message, command = '', responseCode, response = '' }: SmtpError,
  wasTransmitted: boolean,
): SendResult {
  if (responseCode !== undefined) {
    const isFinal = responseCode >= 500 && MESSAGE_COMMANDS.has(command) && isAboutRecipient(response);
    return { outcome: isFinal ? 'refused' : 'deferred', trouble: message };
  }
  return { outcome: wasTransmitted ? 'uncertain' : 'deferred', trouble: message };
}
