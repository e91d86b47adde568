/** Chooses who carries e-mails, by what is configured; what links in them need is made up where it is not said. */
import { join } from 'node:path';
import type { MailTransport } from '../mail/index.ts';
import type { Config } from './config.ts';
import { ownSecret } from './own-secret.ts';

export interface ConnectedMail {
  transport: MailTransport;
  origin: string;
  secret: string;
  fallbackTimeZone: string;
  bouncesKey: string | null;
  isScheduled: true;
}

export async function connectMail(config: Config): Promise<ConnectedMail> {
  const { createFolderTransport, createSmtpTransport } = await import('../integrations/smtp/index.ts');
  const { smtpUrl, from, bouncesTo, bouncesKey, timeZone } = config.mail;
  return {
    transport:
      smtpUrl === null
        ? createFolderTransport({ dir: join(config.dataDir, 'outbox'), from })
        : createSmtpTransport({ url: smtpUrl, from, bouncesTo }),
    origin: config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`,
    secret: config.secret ?? (await ownSecret(config.dataDir)),
    fallbackTimeZone: timeZone,
    bouncesKey,
    isScheduled: true,
  };
}
