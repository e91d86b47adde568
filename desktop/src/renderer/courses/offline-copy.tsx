/** Keeps a video on this computer, shows the progress of its download, and removes it. */
import { formatBytes, t } from '@parley/i18n';
import type { VideoCopy } from '@parley/contract';
import { Button, MutedText, Row, Stack } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { sentenceForCode } from '../foundation/sentences/error-sentence.ts';
import css from './courses.module.css';

const REFRESH_MS = 500;

export function OfflineCopy({ videoId }: { videoId: string }): ReactElement | null {
  const { queries } = useHost();
  const input = { videoId };
  const copy = useQuery(
    queries.videos.copy.queryOptions({
      input,
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.state === 'loading' ? REFRESH_MS : false),
    }),
  );
  const onSettled = async (): Promise<void> => void (await copy.refetch());
  const keep = useMutation(queries.videos.keep.mutationOptions({ onSettled }));
  const remove = useMutation(queries.videos.remove.mutationOptions({ onSettled }));
  if (copy.data === undefined) return null;
  const actions = { onKeep: () => keep.mutate(input), onRemove: () => remove.mutate(input) };
  return (
    <Stack tight>
      <CopyState copy={copy.data} {...actions} />
      {keep.isError && <ErrorBanner error={keep.error} />}
    </Stack>
  );
}

interface CopyStateProps {
  copy: VideoCopy;
  onKeep: () => void;
  onRemove: () => void;
}

function CopyState({ copy, onKeep, onRemove }: CopyStateProps): ReactElement {
  switch (copy.state) {
    case 'none':
      return (
        <Row>
          <Button onPress={onKeep}>{t('Download for offline use')}</Button>
        </Row>
      );
    case 'loading':
      return (
        <Row>
          <Progress bytes={copy.bytes} totalBytes={copy.totalBytes} />
          <Button variant="quiet" onPress={onRemove}>
            {t('Stop')}
          </Button>
        </Row>
      );
    case 'interrupted':
      return (
        <>
          <MutedText small>{interruptedSentence(copy.failure)}</MutedText>
          <Row>
            {copy.totalBytes !== null && <Progress bytes={copy.bytes} totalBytes={copy.totalBytes} />}
            <Button onPress={onKeep}>{copy.bytes === 0 ? t('Try again') : t('Continue')}</Button>
            {copy.bytes > 0 && <RemoveButton onRemove={onRemove} />}
          </Row>
        </>
      );
    case 'kept':
      return (
        <Row>
          <MutedText small>
            {t('On this computer: {size}. It plays without a network.', { size: formatBytes(copy.bytes) })}
          </MutedText>
          <RemoveButton onRemove={onRemove} />
        </Row>
      );
  }
}

const RemoveButton = ({ onRemove }: { onRemove: () => void }): ReactElement => (
  <Button variant="quiet" onPress={onRemove}>
    {t('Remove from this computer')}
  </Button>
);

function Progress({ bytes, totalBytes }: { bytes: number; totalBytes: number | null }): ReactElement {
  const label = t('Downloading the video');
  if (totalBytes === null) return <progress className={css['progress']} aria-label={label} />;
  return (
    <>
      <progress className={css['progress']} value={bytes} max={totalBytes} aria-label={label} />
      <MutedText small>
        {t('{done} of {total}', { done: formatBytes(bytes), total: formatBytes(totalBytes) })}
      </MutedText>
    </>
  );
}

function interruptedSentence(failure: (VideoCopy & { state: 'interrupted' })['failure']): string {
  if (failure === null) return t('The download was interrupted. It will continue where it stopped.');
  if (failure === 'limit')
    return t('There isn’t enough space for this video. Remove some of the others in Settings, then try again.');
  return sentenceForCode(failure);
}
