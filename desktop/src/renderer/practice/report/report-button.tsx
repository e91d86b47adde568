/** Opens the dialog that reports a line of the coach, or the practice, to the school. Without a server it is not shown, because there is no school to report to. */
import { t } from '@parley/i18n';
import type { CoachTurn, SessionId } from '@parley/domain';
import { Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { withLine } from '../../foundation/sentences/with-line.ts';
import { ReportDialog } from './report-dialog.tsx';

export function ReportButton({
  sessionId,
  turn,
  isShort = false,
}: {
  sessionId: SessionId;
  /** The line that can be reported; null when only the practice can. */
  turn: Pick<CoachTurn, 'turnId' | 'text'> | null;
  /** Smaller, next to a line of a transcript, which has many lines. */
  isShort?: boolean;
}): ReactElement | null {
  const { queries } = useHost();
  const [isOpen, setOpen] = useState(false);
  const hasServer = (useQuery(queries.server.read.queryOptions()).data?.url ?? null) !== null;
  if (!hasServer) return null;
  return (
    <>
      {isShort && turn !== null ? (
        <Button variant="quiet" label={withLine(t('Report…'), turn.text)} onPress={() => setOpen(true)}>
          {t('Report…')}
        </Button>
      ) : (
        <Button variant="quiet" icon="warning" onPress={() => setOpen(true)}>
          {t('Report a problem…')}
        </Button>
      )}
      {isOpen && <ReportDialog sessionId={sessionId} turn={turn} onClose={() => setOpen(false)} />}
    </>
  );
}
