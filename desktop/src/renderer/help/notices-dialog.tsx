/** The third-party software in Parley, with its licences. The build writes the list next to the page. */
import { t } from '@parley/i18n';
import { Button, Dialog, MutedText, Row } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { QueryView } from '../foundation/screen/screen.tsx';
import css from './help.module.css';

const Notices = z.array(z.object({ name: z.string(), version: z.string(), licence: z.string(), text: z.string() }));

async function readNotices(): Promise<z.infer<typeof Notices>> {
  const answer = await fetch('third-party-notices.json');
  if (!answer.ok) throw new Error(`the list of licences answered ${answer.status}`);
  return Notices.parse(await answer.json());
}

export function NoticesDialog({ onClose }: { onClose: () => void }): ReactElement {
  const notices = useQuery({ queryKey: ['third-party-notices'], queryFn: readNotices, gcTime: 0 });
  return (
    <Dialog title={t('Licences')} isOpen onClose={onClose}>
      <QueryView query={notices} loadingLabel={t('Loading')}>
        {(list) => (
          <>
            <MutedText>{t('Parley is built on other people’s work. Thank you.')}</MutedText>
            <div className={css['licences']} lang="en" dir="ltr">
              {list.map(({ name, version, licence, text }) => (
                <details key={`${name}@${version}`}>
                  <summary>
                    {name} {version} · {licence}
                  </summary>
                  <pre>{text}</pre>
                </details>
              ))}
            </div>
          </>
        )}
      </QueryView>
      <Row>
        <Button variant="quiet" onPress={onClose}>
          {t('Close')}
        </Button>
      </Row>
    </Dialog>
  );
}
