/** Checks for `doctor` that the mail server takes e-mails from this server. No e-mail is sent. */
import type { Config } from '../../compose/config/config.ts';
import { findMailTrouble } from '../../compose/connect-mail.ts';
import type { Finding } from '../command.ts';

const TIMEOUT_MS = 10_000;

export async function checkMailServer({
  mail: { smtpUrl: url, from },
  adminEmails: [admin],
}: Pick<Config, 'adminEmails'> & { mail: Pick<Config['mail'], 'smtpUrl' | 'from'> }): Promise<Finding[]> {
  if (url === null) return [];
  const to = admin ?? /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from;
  const trouble = await findMailTrouble({ url, from, to, timeoutMs: TIMEOUT_MS });
  return [
    trouble === null
      ? { name: 'mail server', isGood: true, text: `would take an e-mail to ${to}` }
      : {
          name: 'mail server',
          isGood: false,
          text: `it takes no e-mail to ${to} (${trouble}): correct SMTP_URL, MAIL_FROM or the mail server.`,
        },
  ];
}
