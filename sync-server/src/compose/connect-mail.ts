/** Chooses the mail transport from the configuration and fills in what links in e-mails need. */
import { resolve } from 'node:path';
import type { SmtpCheck } from '../integrations/smtp/index.ts';
import type { MailOptions } from './app-options.ts';
import type { Config } from './config/config.ts';
import { loadOrCreateSecret } from './config/load-or-create-secret.ts';

/** A required property, so that passing an option which the server would ignore does not compile. */
export type ConnectedMail = Required<
  Pick<MailOptions, 'transport' | 'origin' | 'secret' | 'fallbackTimeZone' | 'bounceKey' | 'isScheduled'>
>;

/** Where e-mails are written without a mail server. */
export const outboxFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => resolve(dataDir, 'outbox');

export async function connectMail(config: Config): Promise<ConnectedMail> {
  const { createFolderTransport, createSmtpTransport } = await import('../integrations/smtp/index.ts');
  const { smtpUrl, from, bounceAddress, bounceKey, timeZone } = config.mail;
  return {
    transport:
      smtpUrl === null
        ? createFolderTransport({ dir: outboxFolder(config), from })
        : createSmtpTransport({ url: smtpUrl, from, returnPath: bounceAddress }),
    origin: config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`,
    secret: config.secret ?? (await loadOrCreateSecret(config.dataDir)),
    fallbackTimeZone: timeZone,
    bounceKey,
    isScheduled: true,
  };
}

/** Returns why the mail server would not take an e-mail to this address; null if it would. No e-mail is sent. */
export async function findMailTrouble(check: SmtpCheck): Promise<string | null> {
  const { checkSmtp } = await import('../integrations/smtp/index.ts');
  return checkSmtp(check);
}
