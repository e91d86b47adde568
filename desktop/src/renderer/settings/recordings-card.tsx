/** The learner's choice to keep copies of recordings on the server: what it means, what is there, and how to delete it. */
import { formatBytes, t } from '@parley/i18n';
import type { RecordingKeepingView } from '@parley/contract';
import { Banner, Button, Card, Dialog, MutedText, Row, Stack, Switch } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { sentenceForCode } from '../foundation/sentences/error-sentence.ts';

/** Null while there is no server that could keep anything. */
export function RecordingsCard(): ReactElement | null {
  const { queries } = useHost();
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const keeping = useQuery(queries.recordings.keeping.queryOptions({ refetchOnMount: 'always' })).data;
  const keep = useMutation(
    queries.recordings.keep.mutationOptions({
      onSuccess: (now) => {
        cache.setQueryData(queries.recordings.keeping.queryKey(), now);
        setAsking(false);
      },
    }),
  );
  if (keeping === undefined || (!keeping.isPossible && !keeping.isOn)) return null;
  const stop = (deleteAll: boolean): void => keep.mutate({ isOn: false, deleteAll });
  return (
    <Card>
      <h2>{t('Your recordings')}</h2>
      <MutedText>
        {t(
          'Your recordings are on the computer where you made them. If you agree, Parley also sends a smaller copy of each one to your school’s server. You can then play them on your other computers, and they aren’t lost with this one.',
        )}
      </MutedText>
      <Switch
        isSelected={keeping.isOn}
        onChange={(isOn) => (isOn ? keep.mutate({ isOn: true, deleteAll: false }) : setAsking(true))}
      >
        {t('Keep my recordings on my school’s server')}
      </Switch>
      <MutedText small>
        {t(
          'This applies to all your computers, and to what you’ve already recorded. Only you can play the copies. Nothing is sent until you switch this on, and you can delete the copies at any time.',
        )}
      </MutedText>
      <KeptCopies keeping={keeping} onDelete={() => stop(true)} isBusy={keep.isPending} />
      {keep.isError && !isAsking && <ErrorBanner error={keep.error} />}
      <Dialog title={t('Stop keeping your recordings?')} isOpen={isAsking} onClose={() => setAsking(false)}>
        <Stack>
          <p>
            {t(
              'New recordings will then stay on the computer where you make them. What should happen to the copies on the server?',
            )}
          </p>
          <MutedText small>{t('The recordings on your computers stay either way.')}</MutedText>
          {keep.isError && <ErrorBanner error={keep.error} />}
          <Row>
            <Button variant="danger" onPress={() => stop(true)} isDisabled={keep.isPending}>
              {t('Stop and delete the copies')}
            </Button>
            <Button onPress={() => stop(false)} isDisabled={keep.isPending}>
              {t('Stop and keep the copies')}
            </Button>
            <Button variant="quiet" onPress={() => setAsking(false)}>
              {t('Cancel')}
            </Button>
          </Row>
        </Stack>
      </Dialog>
    </Card>
  );
}

function KeptCopies(props: {
  keeping: RecordingKeepingView;
  onDelete: () => void;
  isBusy: boolean;
}): ReactElement | null {
  const { keeping, onDelete, isBusy } = props;
  const { isOn, isDeleting, kept, waiting, usedBytes, quotaBytes, failure } = keeping;
  if (isDeleting) return <Banner>{t('The copies will be deleted once Parley can reach the server.')}</Banner>;
  return (
    <Stack tight>
      {isOn && failure !== null && <Banner tone="warn">{sentenceForCode(failure)}</Banner>}
      {(isOn || kept > 0) && (
        <MutedText>
          {t('{count, plural, one {# copy on the server} other {# copies on the server}}, {used} of {max} used', {
            count: kept,
            used: formatBytes(usedBytes),
            max: formatBytes(quotaBytes),
          })}
        </MutedText>
      )}
      {isOn && waiting > 0 && (
        <MutedText small>
          {t(
            '{count, plural, one {# recording is waiting to be sent. That happens when you’re not practising.} other {# recordings are waiting to be sent. That happens when you’re not practising.}}',
            { count: waiting },
          )}
        </MutedText>
      )}
      {!isOn && kept > 0 && (
        <Row>
          <Button variant="danger" onPress={onDelete} isDisabled={isBusy}>
            {t('Delete the copies')}
          </Button>
        </Row>
      )}
    </Stack>
  );
}
