/** A text that highlights its words as the learner says them. */
import { typographic } from '@parley/ui';
import type { ReactElement } from 'react';
import css from './recording.module.css';

export function ProgressText({ text, said }: { text: string; said: number }): ReactElement {
  const shown = typographic(text);
  return (
    <p className={css['followed']} lang="en">
      <span className={css['over']}>{shown.slice(0, said)}</span>
      {shown.slice(said)}
    </p>
  );
}
