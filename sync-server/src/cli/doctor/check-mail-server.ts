/** Checks for `doctor` that this server can sign in to the mail server. No e-mail is sent. */
import type { Config } from '../../compose/config/config.ts';
import { findMailTrouble } from '../../compose/connect-mail.ts';
import type { Finding } from '../command.ts';

const TIMEOUT_MS = 10_000;

export async function checkMailServer({ smtpUrl }: Pick<Config['mail'], 'smtpUrl'>): Promise<Finding[]> {
  if (smtpUrl === null) return [];
  const trouble = await findMailTrouble(smtpUrl, TIMEOUT_MS);
  return [
    trouble === null
      ? { name: 'mail server', isGood: true, text: 'accepts this server' }
      : {
          name: 'mail server',
          isGood: false,
          text: `it does not accept this server (${trouble}), so no e-mail is sent: correct SMTP_URL or the mail server.`,
        },
  ];
}
