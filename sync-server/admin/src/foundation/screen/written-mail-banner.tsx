/** Says that e-mails are not sent, on a server without a mail server. */
import { t } from '@parley/i18n';
import { Banner } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { api } from '../api/client.ts';

export function WrittenMailBanner({ action }: { action?: ReactNode }): ReactElement | null {
  const overview = useQuery(api.admin.overview.queryOptions({ input: {} }));
  if (overview.data?.isMailWritten !== true) return null;
  return (
    <Banner tone="warn" {...(action === undefined ? {} : { action })}>
      {t(
        'This server sends no e-mail. E-mails are written to files in the folder “outbox” on the server, with their codes and links, until the person who runs it sets up a mail server (SMTP_URL).',
      )}
    </Banner>
  );
}
