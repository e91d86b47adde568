import type { PracticeScript, ScriptNode } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { isFreeName, replaceStep } from './replace-step.ts';

const everywhere = (key: string) => ({ easy: key, intermediate: key, hard: key });

const aStep = (key: string, change: Partial<ScriptNode> = {}): ScriptNode => ({
  key,
  say: everywhere(`I am ${key}.`),
  rephrase: [],
  replies: [],
  isEnd: false,
  learns: null,
  onKnown: null,
  understanding: null,
  ...change,
});

const leadingTo = (target: string): Partial<ScriptNode> => ({
  replies: [{ ...everywhere('Yes.'), hint: '', to: everywhere(target) }],
});

const aScript = (nodes: ScriptNode[]): PracticeScript => ({ start: 'opening', topic: [], facts: [], nodes });

/** The name of each step, and where it leads. */
const outline = ({ nodes = [] }: Partial<PracticeScript>): string[] =>
  nodes.map(({ key, replies }) => [key, ...replies.map(({ to }) => to.hard)].join(' > '));

const script = aScript([
  aStep('opening', leadingTo('pay')),
  aStep('pay', leadingTo('payment')),
  aStep('payment', { isEnd: true }),
]);
const renamed = (of: PracticeScript, index: number, key: string): PracticeScript => {
  const step = of.nodes[index];
  if (step === undefined) throw new Error('There is no such step.');
  return { ...of, ...replaceStep(of, index, { ...step, key }) };
};

describe('a step that gets another name', () => {
  it('keeps the references of the steps that lead to it', () => {
    expect(outline(renamed(script, 1, 'price'))).toEqual(['opening > price', 'price > payment', 'payment']);
    expect(renamed(script, 0, 'hello').start).toBe('hello');
  });

  it('does not get the name of another step', () => {
    expect(isFreeName(['opening', 'pay', 'payment'], 2, 'pay')).toBe(false);
    expect(outline(renamed(script, 2, 'pay'))).toEqual(outline(script));
  });

  it('keeps its dialogue when its name is typed through the name of another step', () => {
    let typed = script;
    for (const name of ['paymen', 'payme', 'paym', 'pay', 'pa', 'p', '', 't', 'thanks'])
      typed = renamed(typed, 2, name);
    expect(outline(typed)).toEqual(['opening > pay', 'pay > thanks', 'thanks']);
  });

  it('does not take a reply that leads nowhere yet', () => {
    const unfinished = aScript([aStep('opening', leadingTo('')), aStep('end', { isEnd: true })]);
    expect(outline(renamed(renamed(unfinished, 1, ''), 1, 'finish'))).toEqual(['opening > ', 'finish']);
  });

  it('keeps references to a second step of the same name', () => {
    const doubled = aScript([aStep('opening', leadingTo('end')), aStep('end'), aStep('end')]);
    expect(outline(renamed(doubled, 2, 'other'))).toEqual(['opening > end', 'end', 'other']);
  });
});
