/** What the coach says, and what was understood of the learner; the newest words stay in sight. */
import type { SessionView } from '@parley/contract';
import { type ReactElement, useEffect, useRef } from 'react';
import css from './call.module.css';

const NOT_WRITTEN = 'What you said is recorded, and not written down yet.';

export function Captions({ words, session }: { words: string; session: SessionView }): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const mine = session.turns.findLast((turn) => turn.role === 'learner')?.text;
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [words, mine]);
  return (
    // Who cannot use a wheel scrolls it with the keys.
    <div className={css['captions']} ref={box} role="group" aria-label="Captions" tabIndex={0}>
      {mine !== undefined && <p className={css['mine']}>{mine === '' ? NOT_WRITTEN : `You: ${mine}`}</p>}
      <p className={css['words']}>{words}</p>
    </div>
  );
}
