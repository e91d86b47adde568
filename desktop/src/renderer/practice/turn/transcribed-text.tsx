/**
 * A text that this computer transcribed: the learner sees which words are uncertain, and can correct one with a click
 * or everything by typing.
 */
import { t } from '@parley/i18n';
import { MAX_TYPED_CHARACTERS, type TranscribedWord } from '@parley/contract';
import { Button, MutedText, Row, Stack, TextField, typographic } from '@parley/ui';
import { type ReactElement, useId, useRef, useState } from 'react';
import css from '../practice.module.css';
import { bareWord, replaceWord } from './replace-word.ts';

/** Words with a lower confidence are marked: the models are wrong about one in three such words or more. */
const UNCERTAIN = 0.7;

export interface TranscribedTextProps {
  text: string;
  words: readonly TranscribedWord[];
  isBusy: boolean;
  onCorrect: (text: string) => void;
}

export function TranscribedText({ text, words, isBusy, onCorrect }: TranscribedTextProps): ReactElement {
  const [open, setOpen] = useState<number | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [confirmed, setConfirmed] = useState<ReadonlySet<number>>(new Set());
  const isUncertain = ({ confidence }: TranscribedWord, index: number): boolean =>
    confidence < UNCERTAIN && !confirmed.has(index);
  const opened = open === null ? undefined : words[open];
  const sentence = useRef<HTMLParagraphElement>(null);
  const explanationId = useId();
  /** The button that was pressed disappears, so the sentence takes the focus. */
  const close = (): void => {
    setOpen(null);
    sentence.current?.focus();
  };
  const choose = (index: number, word: string): void => {
    close();
    onCorrect(replaceWord(words, index, word));
  };
  const confirm = (index: number): void => {
    close();
    setConfirmed(new Set([...confirmed, index]));
  };
  const submit = (): void => {
    const corrected = typed?.trim() ?? '';
    if (corrected === '' || isBusy) return;
    setTyped(null);
    if (corrected !== text) onCorrect(corrected);
  };
  if (typed !== null)
    return (
      <>
        <TextField
          label={t('Write what you said')}
          value={typed}
          onChange={setTyped}
          onSubmit={submit}
          autoFocus
          maxLength={MAX_TYPED_CHARACTERS}
        />
        <Row>
          <Button variant="primary" onPress={submit} isDisabled={typed.trim() === '' || isBusy}>
            {t('Score this')}
          </Button>
          <Button variant="quiet" onPress={() => setTyped(null)}>
            {t('Cancel')}
          </Button>
        </Row>
      </>
    );
  return (
    <Stack tight>
      <p ref={sentence} tabIndex={-1} className={css['said']} lang="en">
        {words.map((word, index) => (
          // The same word may occur twice in a text, and words never change their places.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index}>
            {index > 0 && ' '}
            {isUncertain(word, index) ? (
              <button
                type="button"
                className={css['uncertain']}
                aria-expanded={open === index}
                aria-describedby={explanationId}
                onClick={() => setOpen(open === index ? null : index)}
                disabled={isBusy}
              >
                {typographic(word.word)}
              </button>
            ) : (
              typographic(word.word)
            )}
          </span>
        ))}
      </p>
      {/* The surrounding live region announces what was said, but no buttons. */}
      {opened !== undefined && open !== null && (
        <div aria-live="off">
          <Row>
            {opened.alternatives.map((word) => (
              <Button key={word} onPress={() => choose(open, word)} isDisabled={isBusy}>
                {typographic(word)}
              </Button>
            ))}
            <Button variant="quiet" onPress={() => confirm(open)}>
              {t('“{word}” is right', { word: typographic(bareWord(opened.word)) })}
            </Button>
          </Row>
        </div>
      )}
      <Row>
        <MutedText small>
          <span id={explanationId}>
            {words.some(isUncertain)
              ? t('Parley isn’t sure of the marked words. Choose one to change it.')
              : t('This computer transcribed what you said.')}
          </span>
        </MutedText>
        <div aria-live="off">
          <Button variant="quiet" onPress={() => setTyped(text)} isDisabled={isBusy}>
            {t('Correct the words')}
          </Button>
        </div>
      </Row>
    </Stack>
  );
}
