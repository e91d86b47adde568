/** A conversation in which an author plays the learner by typing. */
import { t } from '@parley/i18n';
import { Button, TextField } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import css from './content.module.css';

const MAX_LENGTH = 2_000;

export interface ShownTurn {
  role: 'coach' | 'learner';
  text: string;
  /** The step of the dialogue, if there is one. */
  node?: string | null;
  /** A note to the author about the turn; empty when there is none. */
  note?: string;
}

interface TryChatProps {
  turns: readonly ShownTurn[];
  isBusy: boolean;
  hasEnded: boolean;
  onSay: (text: string) => void;
}

export function TryChat({ turns, isBusy, hasEnded, onSay }: TryChatProps): ReactElement {
  const [typed, setTyped] = useState('');
  const say = (): void => {
    const text = typed.trim();
    if (text === '' || isBusy) return;
    setTyped('');
    onSay(text);
  };
  return (
    <>
      <ol className={css['transcript']} aria-live="polite">
        {turns.map(({ role, text, node = null, note = '' }, index) => (
          <li key={index}>
            <small>
              {role === 'coach' ? t('Coach') : t('You')}
              {node !== null && ` · ${node}`}
            </small>
            <span dir="auto">{text}</span>
            {note !== '' && <small>{note}</small>}
          </li>
        ))}
      </ol>
      {hasEnded && <p role="status">{t('The conversation has ended.')}</p>}
      {turns.length > 0 && !hasEnded && (
        <div className={css['answer']}>
          <TextField label={t('Your answer')} value={typed} onChange={setTyped} onSubmit={say} maxLength={MAX_LENGTH} />
          <Button onPress={say}>{t('Say it')}</Button>
        </div>
      )}
    </>
  );
}
