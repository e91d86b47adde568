/** Gives hints in three steps: a keyword, an opening, a whole sentence. */
import { t } from '@parley/i18n';
import type { SessionView } from '@parley/contract';
import { Button, MutedText, typographic } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, type RefObject, useEffect, useRef } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { useSpeaker } from '../../audio/index.ts';
import css from '../practice.module.css';

const NEXT_HINT_LABELS = [t('Give me a hint'), t('Show me how to start'), t('Show me whole sentences')] as const;
const FULL_SENTENCE_LEVEL = 3;
export const LAST_HINT_LEVEL: number = FULL_SENTENCE_LEVEL;

/** The hints shown in this turn; only hints that were shown count. */
export interface Hint {
  /** From 0, no hint, to 3, whole sentences. */
  level: number;
  texts: readonly string[];
}

export const NO_HINT: Hint = { level: 0, texts: [] };

export interface HintLadderProps {
  session: SessionView;
  hint: Hint;
  onHint: (hint: Hint) => void;
}

/**
 * Remounted for each turn, because the same request gets a different response later. Restores the hints after a reload.
 */
export function HintLadder({ session, hint, onHint }: HintLadderProps): ReactElement {
  const { client } = useHost();
  const { sessionId } = session;
  const hintRequest = useMutation({ mutationFn: (level: number) => client.practice.hint({ sessionId, level }) });
  const wasRequested = useRef(false);
  const requestNextHint = (): void => {
    const level = hint.level + 1;
    wasRequested.current = true;
    // A hint that arrives after the turn was sent is ignored.
    hintRequest.mutate(level, { onSuccess: ({ hints }) => onHint({ level, texts: hints }) });
  };
  const storedLevel = session.hintLevel;
  const mustReopen = storedLevel > hint.level && hintRequest.isIdle;
  const reopened = useQuery({
    // Not under the practice keys, because an update of the session must not make the model coach generate the same
    // hints again.
    queryKey: ['reopened hints', sessionId, session.turns.length, storedLevel],
    queryFn: () => client.practice.hint({ sessionId, level: storedLevel }),
    enabled: mustReopen,
  });
  const reopenedHints = reopened.data?.hints;
  useEffect(() => {
    if (mustReopen && reopenedHints !== undefined) onHint({ level: storedLevel, texts: reopenedHints });
  }, [mustReopen, reopenedHints, storedLevel, onHint]);
  const next = NEXT_HINT_LABELS[hint.level];
  const isThinking = hintRequest.isPending || reopened.isFetching;
  return (
    <>
      {hint.level > 0 && <HintTexts session={session} hint={hint} takesFocus={wasRequested} />}
      {hintRequest.isError && <ErrorBanner error={hintRequest.error} onRetry={requestNextHint} />}
      {reopened.isError && <ErrorBanner error={reopened.error} onRetry={() => void reopened.refetch()} />}
      {next !== undefined && !hintRequest.isError && !reopened.isError && (
        <Button variant="quiet" icon="hint" onPress={() => !isThinking && requestNextHint()}>
          {isThinking ? t('Thinking of a hint…') : next}
        </Button>
      )}
    </>
  );
}

const hintTitle = (level: number): string =>
  level === 1 ? t('You could talk about') : level === 2 ? t('You could start with') : t('You could say');

/**
 * The hints while the learner speaks: they can be read, but are neither played into the microphone nor announced again.
 */
export const HintsToRead = ({ hint: { level, texts } }: { hint: Hint }): ReactElement => (
  <div className={css['hints']}>
    <MutedText small>{hintTitle(level)}</MutedText>
    <ul className={css['list']}>
      {texts.map((text) => (
        <li key={text}>
          <strong lang="en">{typographic(text)}</strong>
        </li>
      ))}
    </ul>
  </div>
);

function HintTexts(props: {
  session: SessionView;
  hint: Hint;
  /** Whether the learner has asked for a hint since the turn was shown. */
  takesFocus: RefObject<boolean>;
}): ReactElement {
  const { session, takesFocus } = props;
  const { level, texts } = props.hint;
  const speaker = useSpeaker();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    // If the focus were on the button, the space bar would ask for another hint instead of recording.
    const isOnButton = activeElement === document.body || box.current?.parentElement?.contains(activeElement) === true;
    if (takesFocus.current && isOnButton) box.current?.focus();
  }, [level, takesFocus]);
  return (
    <div className={css['hints']} role="status" tabIndex={-1} ref={box}>
      <MutedText small>{hintTitle(level)}</MutedText>
      <ul className={css['list']}>
        {texts.map((text) => (
          <li key={text}>
            {level === FULL_SENTENCE_LEVEL ? (
              <Button variant="quiet" icon="speaker" onPress={() => void speaker.speak(text, session.coach.voice)}>
                <span lang="en">{typographic(text)}</span>
              </Button>
            ) : (
              <strong lang="en">{typographic(text)}</strong>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
