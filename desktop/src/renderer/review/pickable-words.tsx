/** A text whose words can be heard, one at a time, and added to the review list. The words are one tab stop. */
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

/** A dash, or an ellipsis where the coach was interrupted, is not a word. */
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
            // Words never change their position.
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
