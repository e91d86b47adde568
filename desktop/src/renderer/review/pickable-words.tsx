/** A text whose words can be heard, one at a time, and put on the list for review. The words are one tab stop. */
import { t } from '@parley/i18n';
import { MAX_POINT_WORD, sentenceWith } from '@parley/domain';
import { Button, cx, Row, typographic, useRovingFocus } from '@parley/ui';
import { Fragment, type ReactElement, type ReactNode, useState } from 'react';
import { useSpeaker } from '../audio/index.ts';
import { AddToReview } from './add-to-review.tsx';
import css from './review.module.css';

export interface PickableWordsProps {
  text: string;
  className?: string | undefined;
  /** Shown next to the text. */
  action?: ReactNode;
}

/** A dash, or the dots where the coach was interrupted, is no word. */
const HAS_WORD = /[\p{L}\p{N}]/u;

export function PickableWords({ text, className, action }: PickableWordsProps): ReactElement {
  const [chosen, setChosen] = useState<number | null>(null);
  const speaker = useSpeaker();
  const parts = text.split(/\s+/).filter(Boolean);
  const { onKeyDown, buttonProps } = useRovingFocus(parts.findIndex((part) => HAS_WORD.test(part)));
  const word = (chosen === null ? '' : (parts[chosen] ?? ''))
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .slice(0, MAX_POINT_WORD);
  return (
    <div className={css['pickable']}>
      <div className={css['pickHead']}>
        <div
          className={cx(css['pick'], className)}
          role="toolbar"
          aria-label={typographic(text)}
          lang="en"
          onKeyDown={onKeyDown}
        >
          {parts.map((part, index) => (
            // Words keep their places.
            <Fragment key={index}>
              {HAS_WORD.test(part) ? (
                <button
                  type="button"
                  aria-pressed={chosen === index}
                  {...buttonProps(index)}
                  onClick={() => setChosen(chosen === index ? null : index)}
                >
                  {typographic(part)}
                </button>
              ) : (
                typographic(part)
              )}{' '}
            </Fragment>
          ))}
        </div>
        {action}
      </div>
      {word !== '' && (
        <Row>
          <Button icon="speaker" onPress={() => void speaker.speak(word)}>
            {t('Model: “{word}”', { word: typographic(word) })}
          </Button>
          <AddToReview key={word} word={word} sentence={sentenceWith(word, text)} />
        </Row>
      )}
    </div>
  );
}
