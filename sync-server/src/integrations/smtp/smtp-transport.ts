/** Hands mails to a mail server, and says what came of it: sent, surely not sent, or nobody knows. */
import { createTransport } from 'nodemailer';
import type { HandOver, MailTransport } from '../../mail/index.ts';
import { isAddress, toNodemailer } from './envelope.ts';

export interface SmtpTransportOptions {
  /** `smtps://user:password@host:465`, or `smtp://host:587`, which changes to TLS where the server offers it. */
  url: string;
  from: string;
  /** Where what cannot be delivered comes back to; null: to `from`. */
  bouncesTo?: string | null;
  /** How long a mail server may say nothing. */
  silenceMs?: number;
}

const SILENCE_MS = 60_000;

export function createSmtpTransport({
  url,
  from,
  bouncesTo = null,
  silenceMs = SILENCE_MS,
}: SmtpTransportOptions): MailTransport {
  return {
    name: 'smtp',
    async send(mail) {
      if (!isAddress(mail.to)) return { outcome: 'refused', trouble: 'this is no address' };
      // A connection each: a shared one hands a mail over again by itself when it breaks.
      const transport = createTransport(
        { url, connectionTimeout: silenceMs, greetingTimeout: silenceMs, socketTimeout: silenceMs },
        {},
      );
      let wasRead = false;
      transport.use('stream', (composed, done) => {
        const { message } = composed;
        const read = message.createReadStream.bind(message);
        // The mail server is sent nothing of it before it has agreed to, so once it was read to its end, it may have it.
        message.createReadStream = (options) => read(options).once('end', () => (wasRead = true));
        done();
      });
      try {
        const envelope = bouncesTo === null ? {} : { envelope: { from: bouncesTo, to: [mail.to] } };
        await transport.sendMail({ ...toNodemailer(mail, from), ...envelope });
        return { outcome: 'accepted' };
      } catch (error) {
        return whatWentWrong(error as SmtpError, wasRead);
      } finally {
        transport.close();
      }
    },
  };
}

interface SmtpError extends Error {
  /** The command that was answered. */
  command?: string;
  responseCode?: number;
}

/** Only what is said of this mail or its reader refuses it; a login or a sender that is not liked is ours to mend, and then it goes. */
const ABOUT_THIS_MAIL = new Set(['RCPT TO', 'DATA']);

function whatWentWrong({ message, command = '', responseCode }: SmtpError, wasRead: boolean): HandOver {
  if (responseCode !== undefined)
    return { outcome: responseCode >= 500 && ABOUT_THIS_MAIL.has(command) ? 'refused' : 'deferred', trouble: message };
  return { outcome: wasRead ? 'uncertain' : 'deferred', trouble: message };
}
