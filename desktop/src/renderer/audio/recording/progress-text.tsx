/** A text that highlights its words as the learner says them. */
import type { ReactElement } from 'react';
import css from './recording.module.css';

export function ProgressText({ text, said }: { text: string; said: number }): ReactElement {
  return (
    <p className={css['followed']} lang="en">
      <span className={css['over']}>{text.slice(0, said)}</span>
      {text.slice(said)}
    </p>
  );
}
