/** Says that this is the compressed copy of another device's recording, and not the original. */
import { t } from '@parley/i18n';
import type { RecordingId } from '@parley/domain';
import { MutedText } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';

/** Null for an original. */
export function RecordingNote({ recordingId }: { recordingId: RecordingId }): ReactElement | null {
  const { queries } = useHost();
  const place = useQuery(queries.recordings.place.queryOptions({ input: { recordingId } })).data?.place;
  if (place !== 'copy') return null;
  return (
    <MutedText small>
      {t('Recorded on another computer. You hear the smaller copy from your school’s server.')}
    </MutedText>
  );
}
