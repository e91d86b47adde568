/** Ctrl or Cmd K: anywhere in a few letters. */
import { Dialog, TextField } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import css from './frame.module.css';
import { useHost } from './host-context.tsx';

export interface Command {
  title: string;
  run: () => void;
}

/** Commands in which every typed word begins some word of the title. */
export function findCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ title }) => {
    const parts = title.toLowerCase().split(/[^a-z0-9]+/);
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  });
}

const MOST_SHOWN = 12;

export function CommandPalette(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [current, setCurrent] = useState(0);
  const navigate = useNavigate();
  const { queries } = useHost();
  const practices = useQuery({ ...queries.catalogue.practices.queryOptions(), enabled: isOpen });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setTyped('');
      setCurrent(0);
      setOpen(true);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  const go = (
    to: '/' | '/practise' | '/drills' | '/history' | '/coach' | '/settings' | '/microphone',
  ): (() => void) => {
    return () => void navigate({ to });
  };
  const commands: Command[] = [
    { title: 'Today', run: go('/') },
    { title: 'Practise', run: go('/practise') },
    { title: 'Drills', run: go('/drills') },
    { title: 'Coach', run: go('/coach') },
    { title: 'History', run: go('/history') },
    { title: 'Settings', run: go('/settings') },
    { title: 'Check the microphone', run: go('/microphone') },
    ...(practices.data ?? []).map((card) => ({
      title: card.title,
      run: () => void navigate({ to: '/practise/$practiceId', params: { practiceId: card.practiceId } }),
    })),
  ];
  const found = findCommands(commands, typed).slice(0, MOST_SHOWN);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    setOpen(false);
    command.run();
  };
  return (
    <Dialog title="Go to" isOpen={isOpen} onClose={() => setOpen(false)}>
      <div
        onKeyDown={(event) => {
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
          if (step === 0) return;
          event.preventDefault();
          setCurrent((at) => Math.max(0, Math.min(found.length - 1, at + step)));
        }}
      >
        <TextField
          label="Screen or practice"
          hideLabel
          autoFocus
          placeholder="Type a screen or a practice"
          value={typed}
          onChange={(value) => {
            setTyped(value);
            setCurrent(0);
          }}
          onSubmit={() => run(found[current])}
        />
      </div>
      <ul className={css['commands']}>
        {found.map((command, index) => (
          <li key={command.title}>
            <button
              type="button"
              className={css['command']}
              data-current={index === current}
              onClick={() => run(command)}
            >
              {command.title}
            </button>
          </li>
        ))}
        {found.length === 0 && <li role="status">Nothing of that name.</li>}
      </ul>
    </Dialog>
  );
}
