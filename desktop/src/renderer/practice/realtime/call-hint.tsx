/** Hints during a call, one step at a time, as in a conversation by turns. */
import { t } from '@parley/i18n';
import type { SessionView } from '@parley/contract';
import { Button } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import css from './call.module.css';
import { type Hint, HintsToRead, LAST_HINT_LEVEL, NO_HINT } from '../hints/hint-ladder.tsx';

export interface CallHints {
  hint: Hint;
  isThinking: boolean;
  /** Null if the last request did not fail. */
  error: unknown;
  requestNext: () => void;
}

/** The hints for the learner's next words. A turn that has been said ends them. */
export function useCallHints({ sessionId, turns, hintLevel }: SessionView): CallHints {
  const { client } = useHost();
  const turnCount = turns.length;
  const [given, setGiven] = useState({ turnCount, hint: NO_HINT });
  const request = useMutation({
    mutationFn: ({ level }: { level: number; turnCount: number }) => client.practice.hint({ sessionId, level }),
    onSuccess: ({ hints }, asked) =>
      setGiven({ turnCount: asked.turnCount, hint: { level: asked.level, texts: hints } }),
  });
  const isOfThisTurn = request.variables?.turnCount === turnCount;
  const hint = given.turnCount === turnCount ? given.hint : NO_HINT;
  return {
    hint,
    isThinking: request.isPending && isOfThisTurn,
    error: isOfThisTurn ? request.error : null,
    requestNext: () => {
      // After a reload, the hint that was open comes back.
      const level = hint.level === 0 ? Math.max(1, hintLevel) : hint.level + 1;
      if (level <= LAST_HINT_LEVEL) request.mutate({ level, turnCount });
    },
  };
}

export const CallHintTexts = ({ hints: { hint, error, requestNext } }: { hints: CallHints }): ReactElement => (
  <>
    {/* Announced, although the microphone may hear it, because the learner has asked for it. */}
    <div role="status" className={css['hints']}>
      {hint.level > 0 && <HintsToRead hint={hint} />}
    </div>
    {error !== null && <ErrorBanner error={error} onRetry={requestNext} />}
  </>
);

/** Stays when there is no further hint, so that the focus and the other buttons keep their places. */
export const CallHintButton = ({ hints: { hint, isThinking, requestNext } }: { hints: CallHints }): ReactElement => (
  <Button icon="hint" isDisabled={isThinking || hint.level === LAST_HINT_LEVEL} onPress={requestNext}>
    {t('Hint')}
  </Button>
);
