/** Says what is sent and to whom before the learner reports a line of the coach or the practice. */
import { t } from '@parley/i18n';
import { MAX_REPORT_LENGTH, type ReportState } from '@parley/contract';
import type { CoachTurn, SessionId } from '@parley/domain';
import { Banner, Button, Dialog, MutedText, Row, SegmentedControl, TextField, typographic } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import css from './report.module.css';

type Subject = 'line' | 'practice';

const SUBJECTS = [
  { value: 'line', label: t('This line') },
  { value: 'practice', label: t('The whole practice') },
] as const;

const WHAT_IS_SENT: Readonly<Record<Subject, string>> = {
  line: t(
    'Your school sees this line, what you write here and which practice it’s about, but not your answers or your recordings. Your name isn’t sent with it. The line itself may repeat something you said: read it before you send it. The report is deleted with your account.',
  ),
  practice: t(
    'Your school sees what you write here and which practice it’s about. It doesn’t see who sent it, your answers or your recordings. The report is deleted with your account.',
  ),
};

const OUTCOMES: Readonly<Record<ReportState, string>> = {
  sent: t('Sent to your school. Thank you.'),
  waiting: t('Saved. Parley will send it to your school once it can reach the server.'),
  delayed: t('Saved. Your school’s server isn’t accepting reports at the moment. Parley will send it later.'),
  practice_gone: t('Your school doesn’t have this practice any more, so the report wasn’t sent.'),
};

export function ReportDialog({
  sessionId,
  turn,
  onClose,
}: {
  sessionId: SessionId;
  turn: Pick<CoachTurn, 'turnId' | 'text'> | null;
  onClose: () => void;
}): ReactElement {
  const { client } = useHost();
  const [subject, setSubject] = useState<Subject>(turn === null ? 'practice' : 'line');
  const [text, setText] = useState('');
  const send = useMutation({
    mutationFn: () =>
      client.reports.send({ sessionId, turnId: subject === 'line' && turn !== null ? turn.turnId : null, text }),
  });
  return (
    <Dialog title={t('Report a problem')} isOpen onClose={onClose}>
      {send.isSuccess ? (
        <>
          <Banner tone={send.data.state === 'practice_gone' ? 'warn' : 'info'}>{OUTCOMES[send.data.state]}</Banner>
          <Row>
            <Button variant="primary" onPress={onClose}>
              {t('Close')}
            </Button>
          </Row>
        </>
      ) : (
        <>
          {turn !== null && (
            <>
              <SegmentedControl label={t('What it’s about')} options={SUBJECTS} value={subject} onChange={setSubject} />
              {subject === 'line' && (
                <p className={css['line']} lang="en" dir="ltr">
                  {typographic(turn.text)}
                </p>
              )}
            </>
          )}
          <TextField
            label={t('What’s wrong?')}
            value={text}
            onChange={setText}
            maxLength={MAX_REPORT_LENGTH}
            autoFocus
          />
          <MutedText>{WHAT_IS_SENT[subject]}</MutedText>
          {send.isError && <ErrorBanner error={send.error} />}
          <Row>
            <Button variant="primary" onPress={() => send.mutate()} isDisabled={send.isPending || text.trim() === ''}>
              {send.isPending ? t('Sending…') : t('Send')}
            </Button>
            <Button variant="quiet" onPress={onClose}>
              {t('Cancel')}
            </Button>
          </Row>
        </>
      )}
    </Dialog>
  );
}
