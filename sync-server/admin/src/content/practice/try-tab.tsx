/** Plays the draft with the guided coach, by typing. Nothing is stored. */
import { t } from '@parley/i18n';
import { explanationText, PRACTICE_DIFFICULTIES, type PracticeDifficulty, type PracticeDocument } from '@parley/domain';
import { Banner, Button, SegmentedControl } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { client } from '../../foundation/api/client.ts';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { TryChat } from '../try-chat.tsx';
import { DIFFICULTY_NAMES } from './dialogue-tab.tsx';
import css from '../content.module.css';

type Turn = Parameters<typeof client.content.tryPractice>[0]['turns'][number];
type Shown = Turn & { note: string };

export function TryTab({ document }: { document: PracticeDocument }): ReactElement {
  const [difficulty, setDifficulty] = useState<PracticeDifficulty>('intermediate');
  const [turns, setTurns] = useState<readonly Shown[]>([]);
  const [hasEnded, setHasEnded] = useState(false);
  const play = useMutation({
    mutationFn: (said: readonly Shown[]) =>
      client.content.tryPractice({
        document,
        difficulty,
        turns: said.map(({ role, text, node, kind, fitted }) => ({ role, text, node, kind, fitted })),
      }),
    onSuccess: (result, said) => {
      if (result.status === 'blocked') return;
      const names = new Map<string, string>(document.objectives.map(({ key, description }) => [key, description]));
      const met = result.proved.map(({ key, words }) =>
        t('Meets “{objective}” with “{words}”', { objective: names.get(key) ?? key, words }),
      );
      const note = result.fitted ? met.join('; ') : t('Not recognised as an answer');
      const answered = said.map((turn, index) =>
        index === said.length - 1 && turn.role === 'learner' ? { ...turn, note, fitted: result.fitted } : turn,
      );
      setTurns([...answered, { ...result.turn, note: '' }]);
      setHasEnded(result.hasEnded);
    },
  });
  const begin = (): void => {
    setHasEnded(false);
    setTurns([]);
    play.mutate([]);
  };
  const say = (text: string): void => {
    const node = turns.findLast(({ role }) => role === 'coach')?.node ?? null;
    const said: readonly Shown[] = [...turns, { role: 'learner', text, node, kind: 'line', fitted: true, note: '' }];
    setTurns(said);
    play.mutate(said);
  };
  const blocked = play.data?.status === 'blocked' ? play.data.findings : null;
  return (
    <div className={css['form']}>
      <div className={css['buttons']}>
        <SegmentedControl
          label={t('Level')}
          hideLabel
          options={PRACTICE_DIFFICULTIES.map((value) => ({ value, label: DIFFICULTY_NAMES[value] }))}
          value={difficulty}
          onChange={setDifficulty}
        />
        <Button onPress={begin}>{turns.length === 0 ? t('Start') : t('Start over')}</Button>
      </div>
      {play.error !== null && <ErrorBanner error={play.error} />}
      {blocked !== null && (
        <Banner tone="warn">
          <p>{t('The coach can’t play this yet:')}</p>
          <ul className={css['changes']}>
            {blocked.length === 0 && <li>{t('Choose a published coach, and write a dialogue.')}</li>}
            {blocked.map((finding, index) => (
              <li key={index}>{explanationText(finding, t)}</li>
            ))}
          </ul>
        </Banner>
      )}
      <TryChat turns={turns} isBusy={play.isPending} hasEnded={hasEnded} onSay={say} />
    </div>
  );
}
