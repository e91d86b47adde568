/** Help in three steps: a keyword, an opening, a whole sentence. */
import type { SessionView } from '@parley/contract';
import { Button, Quiet } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef } from 'react';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner } from '../app/screen.tsx';
import { useSpeaker } from '../audio/index.ts';
import css from './practice.module.css';

const NEXT_STEPS = ['Give me a hint', 'Show me how to begin', 'Show me whole sentences'] as const;
const WHOLE_SENTENCE = 3;

/** The help that a learner has had in this turn: only what they have seen counts. */
export interface Hint {
  level: number;
  texts: readonly string[];
}

export const NO_HINT: Hint = { level: 0, texts: [] };

export interface HintLadderProps {
  session: SessionView;
  hint: Hint;
  onHint: (hint: Hint) => void;
}

/** Of one turn: the same question has another answer after the next. Hints that a reload has closed are opened again. */
export function HintLadder({ session, hint, onHint }: HintLadderProps): ReactElement {
  const { client } = useHost();
  const { sessionId } = session;
  const ask = useMutation({ mutationFn: (level: number) => client.practice.hint({ sessionId, level }) });
  const climb = (): void => {
    const level = hint.level + 1;
    // Not asked for any more by the time that it comes, it helps nobody.
    ask.mutate(level, { onSuccess: ({ hints }) => onHint({ level, texts: hints }) });
  };
  const openedLevel = session.hintLevel;
  const mustReopen = openedLevel > hint.level && ask.isIdle;
  const reopened = useQuery({
    // Outside of the practice's own keys: news of the session must not make a coach think of the same hints again.
    queryKey: ['reopened hints', sessionId, session.turns.length, openedLevel],
    queryFn: () => client.practice.hint({ sessionId, level: openedLevel }),
    enabled: mustReopen,
  });
  const reopenedHints = reopened.data?.hints;
  useEffect(() => {
    if (mustReopen && reopenedHints !== undefined) onHint({ level: openedLevel, texts: reopenedHints });
  }, [mustReopen, reopenedHints, openedLevel, onHint]);
  const next = NEXT_STEPS[hint.level];
  const isThinking = ask.isPending || reopened.isFetching;
  return (
    <>
      {hint.level > 0 && <Shown session={session} hint={hint} />}
      {ask.isError && <FailureBanner error={ask.error} onRetry={climb} />}
      {reopened.isError && <FailureBanner error={reopened.error} onRetry={() => void reopened.refetch()} />}
      {next !== undefined && !ask.isError && !reopened.isError && (
        <Button look="quiet" icon="hint" onPress={() => !isThinking && climb()}>
          {isThinking ? 'Thinking of a hint …' : next}
        </Button>
      )}
    </>
  );
}

function Shown({ session, hint: { level, texts } }: { session: SessionView; hint: Hint }): ReactElement {
  const speaker = useSpeaker();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // After the last step its button is gone, and the keyboard's place with it.
    if (level === WHOLE_SENTENCE && document.activeElement === document.body) box.current?.focus();
  }, [level]);
  return (
    <div className={css['hints']} role="status" tabIndex={-1} ref={box}>
      <Quiet small>
        {level === 1 ? 'You could talk about' : level === 2 ? 'You could begin with' : 'You could say'}
      </Quiet>
      <ul className={css['list']}>
        {texts.map((text) => (
          <li key={text}>
            {level === WHOLE_SENTENCE ? (
              <Button look="quiet" icon="speaker" onPress={() => void speaker.speak(text, session.coach.voice)}>
                {text}
              </Button>
            ) : (
              <strong>{text}</strong>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
