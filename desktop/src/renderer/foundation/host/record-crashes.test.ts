import { ORPCError } from '@orpc/client';
import { expect, it } from 'vitest';
import { recordCrashes } from './record-crashes.ts';

function aWindow() {
  const window = new EventTarget();
  const recorded: { kind: string; stack: string }[] = [];
  const record = recordCrashes(
    { recordCrash: async (crash) => void recorded.push(crash) },
    window as Pick<Window, 'addEventListener'>,
  );
  const emit = (type: 'error' | 'unhandledrejection', fields: object): boolean =>
    window.dispatchEvent(Object.assign(new Event(type), fields));
  return { recorded, record, emit };
}

it('records errors that reach the window and those caught on a screen', () => {
  const { recorded, record, emit } = aWindow();
  emit('error', { error: new TypeError('no') });
  emit('unhandledrejection', { reason: new RangeError('no') });
  record(new SyntaxError('no'));
  expect(recorded.map(({ kind }) => kind)).toEqual(['TypeError', 'RangeError', 'SyntaxError']);
  expect(recorded[0]?.stack).toContain('record-crashes.test.ts');
});

it('records neither the host’s answers nor events without an error', () => {
  const { recorded, emit } = aWindow();
  emit('unhandledrejection', { reason: new ORPCError('storage.full') });
  emit('error', { error: null });
  emit('unhandledrejection', { reason: 'what Ada said' });
  expect(recorded).toEqual([]);
});

it('records a repeated error only a few times', () => {
  const { recorded, record } = aWindow();
  for (let count = 0; count < 50; count += 1) record(new Error('again'));
  expect(recorded).toHaveLength(5);
});
