/** Repeats a sentence of the session, and shows its scores before and after. The session itself does not change. */
import { t } from '@parley/i18n';
import type { DrillAttempt } from '@parley/contract';
import type { Assessment } from '@parley/domain';
import { Banner, formatScore, scoreForScreenReader } from '@parley/ui';
import type { ReactElement } from 'react';
import { ProgressText, RecordButton, useSpaceToRecord } from '../../audio/index.ts';
import { DIMENSION_NAMES, DIMENSION_ORDER } from '../../foundation/scores/dimension-names.ts';
import { unusableSentence } from '../../foundation/sentences/unusable-sentence.ts';
import { ScoredWords } from '../feedback/turn-feedback.tsx';
import { useRetry } from '../feedback/use-retry.ts';
import css from './result.module.css';

export function TryAgain({ text, before }: { text: string; before: Assessment }): ReactElement {
  const { recorder, start, attempt } = useRetry(text);
  useSpaceToRecord({ isActive: true, recorder, start });
  const { state } = recorder;
  return (
    <div className={css['tryAgain']}>
      {state.status === 'recording' && <ProgressText text={text} said={state.progress?.said ?? 0} />}
      <RecordButton recorder={recorder} onStart={start} stopLabel={t('Stop and see your score')} />
      {attempt !== null && <Outcome attempt={attempt} before={before} />}
    </div>
  );
}

function Outcome({ attempt, before }: { attempt: DrillAttempt; before: Assessment }): ReactElement {
  const { assessment, text, recordingId } = attempt;
  if (assessment.unusable !== undefined) return <Banner tone="warn">{unusableSentence(assessment.unusable)}</Banner>;
  return (
    <div role="status">
      <table className={css['change']}>
        <thead>
          <tr>
            <th scope="col">{t('Score')}</th>
            <th scope="col">{t('Before')}</th>
            <th scope="col">{t('Now')}</th>
          </tr>
        </thead>
        <tbody>
          <ChangeRow name={t('This sentence')} before={before.pron} now={assessment.pron} />
          {DIMENSION_ORDER.map((name) => (
            <ChangeRow key={name} name={DIMENSION_NAMES[name]} before={before[name]} now={assessment[name]} />
          ))}
        </tbody>
      </table>
      <ScoredWords text={text} assessment={assessment} recordingId={recordingId} />
    </div>
  );
}

function ChangeRow(props: { name: string; before: number | null; now: number | null }): ReactElement {
  const { name, before, now } = props;
  const change = before === null || now === null ? null : Math.round(now) - Math.round(before);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td aria-label={scoreForScreenReader(before)}>{formatScore(before)}</td>
      <td aria-label={scoreForScreenReader(now)}>
        {formatScore(now)}{' '}
        {change !== null && change !== 0 && <small>{change > 0 ? `+${change}` : `−${-change}`}</small>}
      </td>
    </tr>
  );
}
