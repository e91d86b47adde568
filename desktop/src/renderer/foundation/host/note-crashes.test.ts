import { ORPCError } from '@orpc/client';
import { expect, it } from 'vitest';
import { noteCrashes } from './note-crashes.ts';

function aWindow() {
  const window = new EventTarget();
  const noted: { kind: string; stack: string }[] = [];
  const note = noteCrashes(
    { noteCrash: async (crash) => void noted.push(crash) },
    window as Pick<Window, 'addEventListener'>,
  );
  const emit = (type: 'error' | 'unhandledrejection', fields: object): boolean =>
    window.dispatchEvent(Object.assign(new Event(type), fields));
  return { noted, note, emit };
}

it('records errors that reach the window and those caught on a screen', () => {
  const { noted, note, emit } = aWindow();
  emit('error', { error: new TypeError('no') });
  emit('unhandledrejection', { reason: new RangeError('no') });
  note(new SyntaxError('no'));
  expect(noted.map(({ kind }) => kind)).toEqual(['TypeError', 'RangeError', 'SyntaxError']);
  expect(noted[0]?.stack).toContain('note-crashes.test.ts');
});

it('records neither the host’s answers nor events without an error', () => {
  const { noted, emit } = aWindow();
  emit('unhandledrejection', { reason: new ORPCError('storage.full') });
  emit('error', { error: null });
  emit('unhandledrejection', { reason: 'what Ada said' });
  expect(noted).toEqual([]);
});

it('notes an error that repeats a few times only', () => {
  const { noted, note } = aWindow();
  for (let count = 0; count < 50; count += 1) note(new Error('again'));
  expect(noted).toHaveLength(5);
});
