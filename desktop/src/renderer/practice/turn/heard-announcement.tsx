/** Tells screen readers what was heard and its score. It stays mounted, because a live region that appears with its text is not read. */
import { Trans } from '@lingui/react';
import type { WaitingTurn } from '@parley/contract';
import { scoreForScreenReader } from '@parley/ui';
import type { ReactElement } from 'react';
import css from '../practice.module.css';

/** Null without a turn, and when the learner is asked what they said: then the question has the focus. */
function heardOf(waiting: WaitingTurn | null): { text: string; score: number | null } | null {
  if (waiting?.status === 'heard') return { text: waiting.text, score: waiting.assessment.pron };
  if (waiting?.status === 'not_scored' && waiting.text !== null) return { text: waiting.text, score: null };
  return null;
}

export function HeardAnnouncement({ waiting }: { waiting: WaitingTurn | null }): ReactElement {
  const heard = heardOf(waiting);
  return (
    <p className={css['hidden']} aria-live="polite">
      {heard !== null && (
        <Trans
          id="We heard: <0>{text}</0> Pronunciation: {score}."
          values={{ text: heard.text, score: scoreForScreenReader(heard.score) }}
          components={{ 0: <span lang="en" /> }}
        />
      )}
    </p>
  );
}
