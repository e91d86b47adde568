/** Writes mails to files where no mail server is configured, so that nothing is lost and whoever tries the product can read them. */
import { rename, writeFile } from 'node:fs/promises';
import { preparePrivateFolder } from '@parley/file-permissions';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailTransport } from '../../mail/index.ts';
import { toNodemailer } from './envelope.ts';

export interface FolderTransportOptions {
  dir: string;
  from: string;
  now?: () => Date;
}

const NOT_SENT = 'No mail server is configured (SMTP_URL): this e-mail was written to a file and sent to nobody.';

export function createFolderTransport({ dir, from, now = () => new Date() }: FolderTransportOptions): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    name: 'folder',
    async send(mail) {
      const labelled = { ...mail, headers: { 'X-Parley-Not-Sent': NOT_SENT, ...mail.headers } };
      try {
        const { message } = await composer.sendMail({ ...toNodemailer(labelled, from), date: now() });
        if (!Buffer.isBuffer(message)) throw new Error('a mail was not composed');
        preparePrivateFolder(dir);
        const name = `${now().toISOString().replaceAll(':', '-')}_${mail.id}.eml`;
        // Codes to sign in stand in it. Named last, so that nobody reads half a mail.
        await writeFile(join(dir, `.${name}`), message, { mode: 0o600 });
        await rename(join(dir, `.${name}`), join(dir, name));
        return { outcome: 'accepted' };
      } catch (error) {
        return { outcome: 'deferred', trouble: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
