/** The sync settings: link codes, sync status, devices and rejected changes. */
import { formatLocale, t } from '@parley/i18n';
import { LinkCode } from '@parley/contract';
import { Button, Card, Dialog, MutedText, Row, TextField } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useRef, useState } from 'react';
import { toAccountEmail, MergePreview } from '../account/index.ts';
import { clearAccountCache } from '../foundation/host/clear-account-cache.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { NoServerBanner } from '../foundation/screen/no-server-banner.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { syncSentence } from '../foundation/sentences/sync-sentence.ts';
import { DeviceList } from './device-list.tsx';
import { RejectedChanges } from './rejected-changes.tsx';
import css from './settings.module.css';

export function DevicesCard(): ReactElement {
  const { queries } = useHost();
  const heading = useRef<HTMLHeadingElement>(null);
  const rejected = <RejectedChanges onAllRemoved={() => heading.current?.focus()} />;
  const hasServer = useQuery(queries.sync.status.queryOptions()).data?.state !== 'no_server';
  return (
    <Card>
      <h2 ref={heading} tabIndex={-1}>
        {t('Your devices')}
      </h2>
      {hasServer ? (
        <LinkedDevices rejected={rejected} />
      ) : (
        <>
          <NoServerBanner>
            {t('Your other computers can show the same history once Parley has a server.')}
          </NoServerBanner>
          {rejected}
        </>
      )}
    </Card>
  );
}

function LinkedDevices({ rejected }: { rejected: ReactElement }): ReactElement {
  const { queries } = useHost();
  const cache = useQueryClient();
  const [isJoining, setJoining] = useState(false);
  const status = useQuery(queries.sync.status.queryOptions());
  const syncNow = useMutation(
    queries.sync.run.mutationOptions({ onSuccess: (now) => cache.setQueryData(queries.sync.status.queryKey(), now) }),
  );
  const linkCode = useMutation(queries.account.createLinkCode.mutationOptions());
  // The server links devices, so both buttons wait for it. Syncing can be tried at any time.
  const isOffline = status.data?.state === 'offline' || status.data?.state === 'backing_off';
  return (
    <>
      <MutedText>
        {t('Practise here, continue there: link another computer, and both show the same history.')}
      </MutedText>
      {status.data !== undefined && (
        <Row spread>
          <span>
            {syncSentence(status.data)}
            {status.data.lastSyncedAt !== null && (
              <MutedText small>
                {t('Last synced {lastSyncedAt}', {
                  lastSyncedAt: status.data.lastSyncedAt.toLocaleString(formatLocale(), {
                    dateStyle: 'medium',
                    timeStyle: 'short',
                  }),
                })}
              </MutedText>
            )}
          </span>
          <Button onPress={() => syncNow.mutate(undefined)} isDisabled={syncNow.isPending}>
            {t('Sync now')}
          </Button>
        </Row>
      )}
      {status.data !== undefined && status.data.unread > 0 && (
        <MutedText small>
          {t(
            '{count, plural, one {# item was saved by a newer version of Parley. It’s kept, and appears here once you update.} other {# items were saved by a newer version of Parley. They’re kept, and appear here once you update.}}',
            { count: status.data.unread },
          )}
        </MutedText>
      )}
      {rejected}
      <DeviceList />
      {syncNow.isError && <ErrorBanner error={syncNow.error} />}
      <Row>
        <Button icon="link" onPress={() => linkCode.mutate(undefined)} isDisabled={linkCode.isPending || isOffline}>
          {t('Link another device')}
        </Button>
        <Button variant="quiet" onPress={() => setJoining(true)} isDisabled={isOffline}>
          {t('I have a code')}
        </Button>
      </Row>
      {linkCode.isError && <ErrorBanner error={linkCode.error} />}
      <Dialog title={t('Link another device')} isOpen={linkCode.data !== undefined} onClose={() => linkCode.reset()}>
        {linkCode.data !== undefined && (
          <>
            <p className={css['code']}>{linkCode.data.code}</p>
            <MutedText>
              {t(
                'On the other device open Settings, choose “I have a code” and type this. It works once, until {expiresAt}.',
                { expiresAt: linkCode.data.expiresAt.toLocaleTimeString(formatLocale(), { timeStyle: 'short' }) },
              )}
            </MutedText>
            <Row>
              <Button onPress={() => linkCode.reset()}>{t('Done')}</Button>
            </Row>
          </>
        )}
      </Dialog>
      <JoinDialog isOpen={isJoining} onClose={() => setJoining(false)} />
    </>
  );
}

/** Parses a typed link code: adds the dash and converts it to upper case. */
export function parseLinkCode(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const code = LinkCode.safeParse(`${letters.slice(0, 4)}-${letters.slice(4)}`);
  return code.success ? code.data : null;
}

/** Codes contain no look-alikes, and what was meant cannot be told: an O may be a Q or a D. */
const hasLookAlike = (typed: string): boolean => /[IO01]/i.test(typed);

function JoinDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const { queries } = useHost();
  const cache = useQueryClient();
  const account = useQuery(queries.account.state.queryOptions()).data;
  const [typed, setTyped] = useState('');
  const code = parseLinkCode(typed);
  const join = useMutation(
    queries.account.join.mutationOptions({
      onSuccess: async () => {
        await clearAccountCache(cache);
        onClose();
      },
    }),
  );
  const submit = (): void => {
    // A code works once, so a second Enter would report it as wrong.
    if (code !== null && !join.isPending) join.mutate({ code });
  };
  return (
    <Dialog title={t('Join with a code')} isOpen={isOpen} onClose={onClose}>
      <MutedText>{t('This computer joins the account of the other one and shows the same history.')}</MutedText>
      {account !== undefined && <MergePreview accountEmail={toAccountEmail(account.known)} to={null} />}
      <TextField
        label={t('Code from the other device')}
        placeholder={t('ABCD-2345')}
        {...(hasLookAlike(typed) && { description: t('A code never contains I, O, 0 or 1. Look at it again.') })}
        isInvalid={hasLookAlike(typed)}
        value={typed}
        onChange={setTyped}
        onSubmit={submit}
        autoFocus
        maxLength={12}
      />
      {join.isError && <ErrorBanner error={join.error} />}
      <Row>
        <Button variant="primary" onPress={submit} isDisabled={code === null || join.isPending}>
          {t('Join')}
        </Button>
        <Button variant="quiet" onPress={onClose}>
          {t('Not now')}
        </Button>
      </Row>
    </Dialog>
  );
}
