/** Converts our mail to nodemailer's options. */
import type { SendMailOptions } from 'nodemailer';
import type { OutgoingMail } from '../../ports/mail/mail-transport.ts';

/** Accepts a single address and nothing that could be parsed as several. */
export const isAddress = (to: string): boolean => /^[^\s<>,;:"()@]+@[^\s<>,;:"()@]+$/.test(to);

export const toNodemailer = (mail: OutgoingMail, from: string): SendMailOptions => ({
  from,
  // The address is not parsed again, so text that looks like two addresses cannot reach two recipients.
  to: { name: '', address: mail.to },
  messageId: mail.messageId,
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  // The headers are sent unchanged, because some mail clients do not understand a folded or encoded `List-Unsubscribe`.
  headers: Object.fromEntries(Object.entries(mail.headers).map(([name, value]) => [name, { prepared: true, value }])),
  // Texts and addresses come from learners, so nodemailer must not read files or fetch URLs named in them.
  disableFileAccess: true,
  disableUrlAccess: true,
});
