import type { ObjectiveProgress } from '@parley/contract';
import { ObjectiveId, TurnId } from '@parley/domain';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ProvedObjectives } from './proved-objectives.tsx';

const aTurn = (number: number) => TurnId.parse(`019a0000-0000-7000-8000-00000000000${number}`);
const objective = (number: number, description: string, provedIn: TurnId | null): ObjectiveProgress => ({
  objectiveId: ObjectiveId.parse(`019a0000-0000-7000-8000-00000000001${number}`),
  description,
  provedBy: provedIn === null ? null : 'I am sorry',
  provedIn,
});
const objectives = [
  objective(1, 'Say that it is late', aTurn(1)),
  objective(2, 'Apologise once', aTurn(2)),
  objective(3, 'Agree on a date', null),
];

it('shows proved objectives next to the line that proves them, and no other', () => {
  const beside = (turnId: TurnId) => renderToStaticMarkup(<ProvedObjectives objectives={objectives} turnId={turnId} />);
  expect(beside(aTurn(2))).toContain('Apologise once');
  expect(beside(aTurn(2))).not.toContain('Say that it is late');
  expect(beside(aTurn(3))).toBe('');
});
