/** What the coach says, and what was understood of the learner; the newest words stay in sight. */
import type { SessionView } from '@parley/contract';
import { type ReactElement, useEffect, useRef } from 'react';
import css from './call.module.css';
import { captionLines } from './caption-lines.ts';

const NOT_WRITTEN = 'What you said is recorded, and not written down yet.';

export function Captions({ words, session }: { words: string; session: SessionView }): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const lines = captionLines({ turns: session.turns, words });
  const newest = lines.map(({ text }) => text).join('\n');
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [newest]);
  return (
    // Who cannot use a wheel scrolls it with the keys.
    <div className={css['captions']} ref={box} role="group" aria-label="Captions" tabIndex={0}>
      {lines.map(({ who, text }) =>
        who === 'coach' ? (
          <p key={who} className={css['words']}>
            {text}
          </p>
        ) : (
          <p key={who} className={css['mine']}>
            {text === '' ? NOT_WRITTEN : `You: ${text}`}
          </p>
        ),
      )}
    </div>
  );
}
