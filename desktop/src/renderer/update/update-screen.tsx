/** Guides a learner whose Parley is too old for its server to the update, and says what is safe until then. */
import { t } from '@parley/i18n';
import { Address, Banner, Button, MutedText, Row } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner, QueryView, Screen } from '../foundation/screen/screen.tsx';
import css from './update.module.css';
import { useIsOutdated } from './use-is-outdated.ts';

/** Where a server offers the installers of the app. */
const DOWNLOADS_PATH = '/downloads';

export function UpdateScreen(): ReactElement {
  const { queries } = useHost();
  const about = useQuery(queries.app.about.queryOptions());
  // The number of waiting changes can change without a request to the server, so they are counted again.
  const status = useQuery(queries.sync.status.queryOptions({ staleTime: 0 })).data;
  const isOutdated = useIsOutdated(status?.state);
  return (
    <Screen title={t('Update Parley')} intro={t('Your work is safe on this computer, and you can go on practising.')}>
      <QueryView query={about} loadingLabel={t('Loading')}>
        {({ version, serverAddress }) =>
          isOutdated && status !== undefined && serverAddress !== null ? (
            <WhatToDo version={version} serverAddress={serverAddress} waiting={status.waiting} />
          ) : (
            <Banner>{t('This version of Parley works with your server. There’s nothing to do.')}</Banner>
          )
        }
      </QueryView>
    </Screen>
  );
}

function WhatToDo(props: { version: string; serverAddress: string; waiting: number }): ReactElement {
  const { client } = useHost();
  const again = useMutation({ mutationFn: () => client.sync.run() });
  const downloads = new URL(DOWNLOADS_PATH, props.serverAddress).href;
  return (
    <div className={css['sections']}>
      <section>
        <h2>{t('What to do')}</h2>
        <ol className={css['steps']}>
          <li>
            {t('Quit Parley and start it again. If it has loaded an update in the background, it installs it now.')}
          </li>
          <li>
            {t('If this message is still here, get the newest version from your server, and install it over this one:')}{' '}
            <a href={downloads} target="_blank" rel="noopener noreferrer">
              <Address>{downloads}</Address>
            </a>
          </li>
          <li>{t('If there’s no installer, ask the people who run the server.')}</li>
        </ol>
        <Row>
          <Button onPress={() => again.mutate()} isDisabled={again.isPending}>
            {again.isPending ? t('Checking the server…') : t('Check again')}
          </Button>
        </Row>
        {again.isError && <ErrorBanner error={again.error} />}
        {again.data?.state === 'outdated' && <MutedText>{t('The server still needs a newer version.')}</MutedText>}
      </section>
      <section>
        <h2>{t('Until then')}</h2>
        <ul className={css['facts']}>
          <li>{t('Guided practices, drills, review, progress and your history all work.')}</li>
          <li>
            {props.waiting === 0
              ? t(
                  'Everything so far is already on the server. What you do next stays on this computer until the update.',
                )
              : t(
                  '{waiting, plural, one {# change waits on this computer. It’s sent after the update.} other {# changes wait on this computer. They’re sent after the update.}}',
                  { waiting: props.waiting },
                )}
          </li>
          <li>{t('What you do on other computers appears here after the update.')}</li>
          <li>{t('This is version {version}.', { version: props.version })}</li>
        </ul>
      </section>
    </div>
  );
}
