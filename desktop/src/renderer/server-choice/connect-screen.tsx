/** Opened by a school's link: shows where the link leads, and asks before anything changes. */
import { t } from '@parley/i18n';
import { Address, Button, MutedText, Row } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import { ServerField } from './server-field.tsx';
import css from './server-choice.module.css';

export function ConnectScreen(): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  const { server } = useSearch({ from: '/connect' });
  const choice = useQuery(queries.server.read.queryOptions());
  const leave = (): void => void navigate({ to: '/' });
  return (
    <Screen title={t('Connect to a server')} intro={t('A link asks Parley to use this server.')}>
      <QueryView query={choice} loadingLabel={t('Loading the server')}>
        {({ from, url }) => (
          <div className={css['narrow']}>
            <p>
              <Address>{server}</Address>
            </p>
            <MutedText>{t('Continue only if you know this address and expected the link.')}</MutedText>
            {from === 'environment' ? (
              <MutedText>{t('Parley was started with {url}, so it can’t use another server now.', { url })}</MutedText>
            ) : (
              <ServerField label={t('Address of the server')} suggestion={server} onChanged={leave} />
            )}
            <Row>
              <Button variant="quiet" onPress={leave}>
                {t('Not now')}
              </Button>
            </Row>
          </div>
        )}
      </QueryView>
    </Screen>
  );
}
