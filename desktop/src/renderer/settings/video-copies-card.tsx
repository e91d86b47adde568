/** Lists the videos that are kept on this computer, with their sizes, and removes them. */
import { formatBytes, t } from '@parley/i18n';
import { Card, IconButton, MutedText, Row, Stack } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';

/** Null when no video is kept. */
export function VideoCopiesCard(): ReactElement | null {
  const { queries } = useHost();
  const copies = useQuery(queries.videos.copies.queryOptions({ staleTime: 0 }));
  const onSettled = async (): Promise<void> => void (await copies.refetch());
  const remove = useMutation(queries.videos.remove.mutationOptions({ onSettled }));
  if (copies.data === undefined || copies.data.copies.length === 0) return null;
  const { usedBytes, maxBytes } = copies.data;
  return (
    <Card>
      <h2>{t('Videos on this computer')}</h2>
      <MutedText>{t('{used} of {max} used', { used: formatBytes(usedBytes), max: formatBytes(maxBytes) })}</MutedText>
      <Stack tight>
        {copies.data.copies.map(({ videoId, title, bytes }) => (
          <Row key={videoId} spread>
            <span>{title}</span>
            <Row>
              <MutedText small>{formatBytes(bytes)}</MutedText>
              <IconButton
                icon="close"
                label={t('Remove “{word}”', { word: title })}
                onPress={() => remove.mutate({ videoId })}
              />
            </Row>
          </Row>
        ))}
      </Stack>
      {remove.isError && <ErrorBanner error={remove.error} />}
    </Card>
  );
}
