/** A text whose words light up as they are said. */
import type { ReactElement } from 'react';
import css from './talk.module.css';

export function FollowedText({ text, said }: { text: string; said: number }): ReactElement {
  return (
    <p className={css['followed']}>
      <span className={css['over']}>{text.slice(0, said)}</span>
      {text.slice(said)}
    </p>
  );
}
