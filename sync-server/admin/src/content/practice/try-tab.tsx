/** Plays the draft with the guided coach, by typing. Nothing is kept. */
import { t } from '@parley/i18n';
import { explanationText, PRACTICE_DIFFICULTIES, type PracticeDifficulty, type PracticeDocument } from '@parley/domain';
import { Banner, Button, SegmentedControl, TextField } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { client } from '../../foundation/api/client.ts';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { DIFFICULTY_NAMES } from './dialogue-tab.tsx';
import css from '../content.module.css';

type Turn = Parameters<typeof client.content.tryPractice>[0]['turns'][number];
type Shown = Turn & { note: string };

export function TryTab({ document }: { document: PracticeDocument }): ReactElement {
  const [difficulty, setDifficulty] = useState<PracticeDifficulty>('intermediate');
  const [turns, setTurns] = useState<readonly Shown[]>([]);
  const [typed, setTyped] = useState('');
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
      const note = result.fitted ? met.join('; ') : t('Not understood as an answer');
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
  const say = (): void => {
    const text = typed.trim();
    if (text === '' || play.isPending) return;
    const node = turns.findLast(({ role }) => role === 'coach')?.node ?? null;
    const said: readonly Shown[] = [...turns, { role: 'learner', text, node, kind: 'line', fitted: true, note: '' }];
    setTyped('');
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
        <Button onPress={begin}>{turns.length === 0 ? t('Begin') : t('Begin again')}</Button>
      </div>
      {play.error !== null && <ErrorBanner error={play.error} />}
      {blocked !== null && (
        <Banner tone="warn">
          <p>{t('The coach cannot play this yet:')}</p>
          <ul className={css['changes']}>
            {blocked.length === 0 && <li>{t('Choose a published coach, and write a dialogue.')}</li>}
            {blocked.map((finding, index) => (
              <li key={index}>{explanationText(finding, t)}</li>
            ))}
          </ul>
        </Banner>
      )}
      <ol className={css['transcript']} aria-live="polite">
        {turns.map((turn, index) => (
          <li key={index}>
            <small>
              {turn.role === 'coach' ? t('Coach') : t('You')}
              {turn.node !== null && ` · ${turn.node}`}
            </small>
            <span dir="auto">{turn.text}</span>
            {turn.note !== '' && <small>{turn.note}</small>}
          </li>
        ))}
      </ol>
      {hasEnded && <p role="status">{t('The conversation has ended.')}</p>}
      {turns.length > 0 && !hasEnded && (
        <div className={css['buttons']}>
          <TextField label={t('Your answer')} value={typed} onChange={setTyped} onSubmit={say} maxLength={2_000} />
          <Button onPress={say}>{t('Say it')}</Button>
        </div>
      )}
    </div>
  );
}
