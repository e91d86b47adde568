/** Shows the captions of a call and scrolls to the newest words. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { SessionView } from '@parley/contract';
import { typographic } from '@parley/ui';
import { type ReactElement, useEffect, useRef } from 'react';
import css from './call.module.css';
import { captionLines } from './caption-lines.ts';

const NOT_TRANSCRIBED = t('Recorded. The text will follow.');

export function Captions({ words, session }: { words: string; session: SessionView }): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const lines = captionLines({ turns: session.turns, words });
  const newest = lines.map(({ text }) => text).join('\n');
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [newest]);
  return (
    // Focusable so that it can be scrolled with the keyboard.
    <div className={css['captions']} ref={box} role="group" aria-label={t('Captions')} tabIndex={0}>
      {lines.map(({ who, text }) =>
        who === 'coach' ? (
          <p key={who} className={css['words']} lang="en">
            {typographic(text)}
          </p>
        ) : (
          <p key={who} className={css['mine']}>
            {text === '' ? (
              NOT_TRANSCRIBED
            ) : (
              <Trans
                id="You: <0>{text}</0>"
                values={{ text: typographic(text) }}
                components={{ 0: <span lang="en" /> }}
              />
            )}
          </p>
        ),
      )}
    </div>
  );
}
