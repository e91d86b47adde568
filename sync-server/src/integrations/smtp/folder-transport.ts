/** Writes mails to files when no mail server is configured, so that nothing is lost and an operator can read them. */
import { rename, writeFile } from 'node:fs/promises';
import { preparePrivateFolder } from '@parley/file-permissions';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailTransport } from '../../ports/mail/mail-transport.ts';
import { toNodemailer } from './envelope.ts';

export interface FolderTransportOptions {
  dir: string;
  from: string;
  now?: () => Date;
}

const NOT_SENT_NOTICE = 'No mail server is configured (SMTP_URL): this e-mail was written to a file and was not sent.';

export function createFolderTransport({ dir, from, now = () => new Date() }: FolderTransportOptions): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    name: 'folder',
    writesToFolder: true,
    async send(mail) {
      const labelledMail = { ...mail, headers: { 'X-Parley-Not-Sent': NOT_SENT_NOTICE, ...mail.headers } };
      try {
        const { message } = await composer.sendMail({ ...toNodemailer(labelledMail, from), date: now() });
        if (!Buffer.isBuffer(message)) throw new Error('the mail was not composed');
        preparePrivateFolder(dir);
        const name = `${now().toISOString().replaceAll(':', '-')}_${mail.id}.eml`;
        // The file contains sign-in codes. It is renamed last, so a reader never sees half a mail.
        await writeFile(join(dir, `.${name}`), message, { mode: 0o600 });
        await rename(join(dir, `.${name}`), join(dir, name));
        return { outcome: 'accepted' };
      } catch (error) {
        return { outcome: 'deferred', trouble: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
