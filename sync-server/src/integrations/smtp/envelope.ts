/** One of our mails as nodemailer takes it. */
import type { SendMailOptions } from 'nodemailer';
import type { OutgoingMail } from '../../mail/index.ts';

/** One reader, and nothing that could be taken for more. */
export const isAddress = (to: string): boolean => /^[^\s<>,;:"()@]+@[^\s<>,;:"()@]+$/.test(to);

export const toNodemailer = (mail: OutgoingMail, from: string): SendMailOptions => ({
  from,
  // Taken apart by nobody: what looks like two addresses must not become two readers.
  to: { name: '', address: mail.to },
  messageId: mail.messageId,
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  // As they are: a folded or encoded `List-Unsubscribe` is not understood everywhere.
  headers: Object.fromEntries(Object.entries(mail.headers).map(([name, value]) => [name, { prepared: true, value }])),
  // Words and addresses come from learners; none of them names a file or a website to be fetched.
  disableFileAccess: true,
  disableUrlAccess: true,
});
