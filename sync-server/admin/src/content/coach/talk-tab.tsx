/**
 * A trial conversation with the coach as it is currently written, played by the server's language model. Nothing is
 * stored.
 */
import { t } from '@parley/i18n';
import type { CoachDocument } from '@parley/domain';
import { Banner, Button } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { client } from '../../foundation/api/client.ts';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { type ShownTurn, TryChat } from '../try-chat.tsx';
import css from '../content.module.css';

export function TalkTab({ document }: { document: CoachDocument }): ReactElement {
  const [turns, setTurns] = useState<readonly ShownTurn[]>([]);
  const [hasEnded, setHasEnded] = useState(false);
  const talk = useMutation({
    mutationFn: (said: readonly ShownTurn[]) =>
      client.content.tryCoach({ document, turns: said.map(({ role, text }) => ({ role, text })) }),
    onSuccess: (answer, said) => {
      if (answer.status !== 'said') return;
      setTurns([...said, { role: 'coach', text: answer.text }]);
      setHasEnded(answer.hasEnded);
    },
  });
  const begin = (): void => {
    setHasEnded(false);
    setTurns([]);
    talk.mutate([]);
  };
  const say = (text: string): void => {
    const said: readonly ShownTurn[] = [...turns, { role: 'learner', text }];
    setTurns(said);
    talk.mutate(said);
  };
  return (
    <div className={css['form']}>
      <p>
        {t(
          'You’re a new colleague meeting the coach for the first time. The coach talks freely, based on what you’ve written so far.',
        )}
      </p>
      <div className={css['buttons']}>
        <Button onPress={begin} isDisabled={talk.isPending}>
          {turns.length === 0 ? t('Start') : t('Start over')}
        </Button>
      </div>
      {talk.isPending && <p role="status">{t('{name} is thinking', { name: document.name.trim() || t('Coach') })}</p>}
      {talk.isError && <ErrorBanner error={talk.error} onRetry={() => talk.mutate(turns)} />}
      {talk.data?.status === 'unavailable' && (
        <Banner tone="warn">
          <p>
            {t('This server has no language model. Ask the person who runs it to set {setting}.', {
              setting: talk.data.missing,
            })}
          </p>
          <p>{t('Without one, coaches only play guided practices. You can try them there.')}</p>
        </Banner>
      )}
      <TryChat turns={turns} isBusy={talk.isPending} hasEnded={hasEnded} onSay={say} />
    </div>
  );
}
