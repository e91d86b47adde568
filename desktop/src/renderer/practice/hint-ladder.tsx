/** Help in three steps: a keyword, an opening, a whole sentence. */
import type { SessionView } from '@parley/contract';
import { Button, Quiet } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner } from '../app/screen.tsx';
import { useSpeaker } from '../audio/index.ts';
import css from './practice.module.css';

const NEXT_STEPS = ['Give me a hint', 'Show me how to begin', 'Show me whole sentences'] as const;
const WHOLE_SENTENCE = 3;

export interface HintLadderProps {
  session: SessionView;
  level: number;
  onLevel: (level: number) => void;
}

export function HintLadder({ session, level, onLevel }: HintLadderProps): ReactElement {
  const { queries } = useHost();
  const speaker = useSpeaker();
  const hint = useQuery({
    ...queries.practice.hint.queryOptions({ input: { sessionId: session.sessionId, level: Math.max(1, level) } }),
    // The same question has another answer after the next turn.
    queryKey: [
      ...queries.practice.hint.queryKey({ input: { sessionId: session.sessionId, level } }),
      session.turns.length,
    ],
    enabled: level > 0,
    staleTime: 0,
    retry: false,
  });
  const next = NEXT_STEPS[level];
  return (
    <>
      {level > 0 && hint.data !== undefined && (
        <div className={css['hints']} role="status">
          <Quiet small>
            {level === 1 ? 'You could talk about' : level === 2 ? 'You could begin with' : 'You could say'}
          </Quiet>
          <ul className={css['list']}>
            {hint.data.hints.map((text) => (
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
      )}
      {level > 0 && hint.isPending && <Quiet small>Thinking of a hint …</Quiet>}
      {hint.isError && <FailureBanner error={hint.error} onRetry={() => void hint.refetch()} />}
      {next !== undefined && (
        <Button look="quiet" icon="hint" onPress={() => onLevel(level + 1)}>
          {next}
        </Button>
      )}
    </>
  );
}
