/** Explains what happens to the work on this computer before the server is changed. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { CheckedServer, ServerChoice } from '@parley/contract';
import { Address, Button, Dialog, MutedText, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { toAccountEmail } from '../account/index.ts';
import { clearAccountCache } from '../foundation/host/clear-account-cache.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner, QueryView } from '../foundation/screen/screen.tsx';
import { errorCode } from '../foundation/sentences/error-sentence.ts';

/** The server that the learner is about to use; a null address means "only on this computer". */
export interface NextServer extends Pick<CheckedServer, 'relation' | 'serverId'> {
  url: string | null;
}

export interface ChangeServerProps {
  /** Null means that the dialog is closed. */
  to: NextServer | null;
  onClose: () => void;
  /** Called when the server's answer differs from before, so the learner must decide again. */
  onAnswerChanged: (server: CheckedServer) => void;
  onChanged: () => void;
}

export const hostOf = (url: string): string => new URL(url).host;

export function ChangeServerDialog({ to, ...callbacks }: ChangeServerProps): ReactElement {
  const title =
    to === null || to.url === null ? t('Work only on this computer?') : t('Switch to {to}?', { to: hostOf(to.url) });
  return (
    <Dialog title={title} isOpen={to !== null} onClose={callbacks.onClose}>
      {to !== null && <Decision to={to} {...callbacks} />}
    </Dialog>
  );
}

interface Agreement {
  migratesData?: boolean;
  abandonsUndownloaded?: boolean;
}

type CurrentServer = Pick<ServerChoice, 'url' | 'hasWork'>;

function Decision({ to, onClose, onAnswerChanged, onChanged }: ChangeServerProps & { to: NextServer }): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const open = useQuery(queries.server.read.queryOptions({ staleTime: 0 }));
  const change = useMutation({
    mutationFn: async ({ agreed }: { agreed: Agreement; current: CurrentServer }) => {
      const { url, ...confirmed } = to;
      try {
        return await client.server.change({ url, confirmed, ...agreed });
      } catch (error) {
        if (url !== null && errorCode(error) === 'server.answer_changed')
          onAnswerChanged(await client.server.check({ url }));
        throw error;
      }
    },
    onSuccess: async ({ isReopening }) => {
      // The window reloads automatically when another profile is opened.
      if (!isReopening) await clearAccountCache(cache);
      onChanged();
    },
  });
  return (
    <QueryView query={open} loadingLabel={t('Loading the server')}>
      {(current) => {
        // Until the change is complete, the dialog describes what the learner has chosen.
        const { url: from, hasWork } = change.isPending ? change.variables.current : current;
        const submit = (agreed: Agreement): void => change.mutate({ agreed, current });
        const canMigrateData = from === null && to.relation === 'new' && hasWork;
        const isAbandoning = change.isPending && change.variables.agreed.abandonsUndownloaded === true;
        const hasUndownloadedSessions =
          isAbandoning || (change.isError && errorCode(change.error) === 'server.not_downloaded');
        return (
          <>
            <Consequences from={from} to={to} canMigrateData={canMigrateData} />
            {change.isError && <ErrorBanner error={change.error} />}
            <Row>
              {canMigrateData && (
                <Button variant="primary" onPress={() => submit({ migratesData: true })} isDisabled={change.isPending}>
                  {t('Take my work with me')}
                </Button>
              )}
              <Button
                {...(canMigrateData ? {} : { variant: 'primary' as const })}
                onPress={() => submit({})}
                isDisabled={change.isPending}
              >
                {change.isPending
                  ? t('Changing…')
                  : hasUndownloadedSessions
                    ? t('Try again')
                    : canMigrateData
                      ? t('Leave my work here')
                      : confirmLabel(to)}
              </Button>
              {hasUndownloadedSessions && (
                <Button
                  variant="danger"
                  onPress={() => submit({ abandonsUndownloaded: true })}
                  isDisabled={change.isPending}
                >
                  {t('Continue without them')}
                </Button>
              )}
              <Button variant="quiet" onPress={onClose} isDisabled={change.isPending}>
                {from === null ? t('Not now') : t('Stay with {from}', { from: hostOf(from) })}
              </Button>
            </Row>
          </>
        );
      }}
    </QueryView>
  );
}

const confirmLabel = ({ url, relation }: NextServer): string =>
  url === null ? t('Only on this computer') : relation === 'moved' ? t('Use the new address') : t('Use this server');

interface ConsequencesProps {
  from: string | null;
  to: NextServer;
  canMigrateData: boolean;
}

function Consequences({ from, to, canMigrateData }: ConsequencesProps): ReactElement {
  const { queries } = useHost();
  const account = useQuery(queries.account.state.queryOptions()).data;
  const email = account === undefined ? null : toAccountEmail(account.known);
  const waiting = useQuery(queries.sync.status.queryOptions({ staleTime: 0 })).data?.waiting ?? 0;
  if (to.relation === 'moved' && from !== null && to.url !== null)
    return (
      <MutedText>
        {email === null
          ? t(
              'This server says it’s the one you use at {from}. Continue only if your school told you that its address has changed. Your work moves with you.',
              { from: hostOf(from) },
            )
          : t(
              'This server says it’s the one you use at {from}. Continue only if your school told you that its address has changed. Your work moves with you, and you sign in again.',
              { from: hostOf(from) },
            )}
      </MutedText>
    );
  return (
    <>
      <MutedText>{whatHappens({ from, to, canMigrateData })}</MutedText>
      {to.url !== null && from === null && to.relation === 'new' && (
        <MutedText>{t('Recordings of guided practices and drills stay on this computer.')}</MutedText>
      )}
      {from !== null && (
        <MutedText>
          {email === null ? (
            t('Your work with {from} stays on this computer. You can go back to it in Settings.', {
              from: hostOf(from),
            })
          ) : (
            <Trans
              id="Your work with {from} and the account of <0>{email}</0> stay on this computer. You can go back to them in Settings."
              values={{ email, from: hostOf(from) }}
              components={{ 0: <Address /> }}
            />
          )}
        </MutedText>
      )}
      {from !== null && waiting > 0 && (
        <MutedText>
          {t(
            '{waiting, plural, one {# change hasn’t been sent yet. It waits here, and is sent when you go back.} other {# changes haven’t been sent yet. They wait here, and are sent when you go back.}}',
            { waiting },
          )}
        </MutedText>
      )}
    </>
  );
}

function whatHappens({ from, to, canMigrateData }: ConsequencesProps): string {
  if (to.url === null) return t('Nothing you do there is sent anywhere.');
  const host = hostOf(to.url);
  if (to.relation === 'known') return t('Your work with {host} is on this computer already, and opens now.', { host });
  if (canMigrateData)
    return t(
      'What you’ve done so far is only on this computer. Take it with you, and {host} gets it too. Or leave it here: you’ll find it under “Only on this computer”.',
      { host },
    );
  if (from === null) return t('From now on, Parley will send what you do to {host}.', { host });
  return t('With {host}, you start with an empty history, or sign in to an account you already have there.', { host });
}
