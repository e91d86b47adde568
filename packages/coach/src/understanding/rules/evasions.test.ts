import { describe, expect, it } from 'vitest';
import { evasionsAmong, onlyEvades, withoutEvasions } from './evasions.ts';

describe('evasion', () => {
  it.each([
    ["I don't know why.", 'unknown'],
    ['Sorry, I really can’t tell you when it will be ready.', 'unknown'],
    ['we have no explanation for that', 'unknown'],
    ["I haven't decided yet", 'undecided'],
    ["I'd rather not talk about it.", 'untold'],
    ["That's none of your business.", 'untold'],
    ["I'm afraid I can't promise anything.", 'withheld'],
    ["It wasn't my fault.", 'denial'],
    ['We did nothing wrong, it is your mistake', 'denial'],
    ['No, it was not because of me!', 'denial'],
    ['It had no effect on anybody.', 'nothing'],
    ["That's so unfair!", 'complaint'],
    ["I'm not going to apologise for that.", 'unapologetic'],
  ])('“%s” tells nothing', (said, evasion) => {
    expect(onlyEvades(said)).toBe(true);
    expect([...evasionsAmong([said])]).toEqual([evasion]);
  });

  it.each([
    'The driver is ill.',
    "I don't know why, but the truck is late.",
    "I can't come on Friday because my daughter is ill.",
    "I can't give you a discount.",
    'It was my fault, not yours.',
    "I'm sorry, it was our mistake.",
    'I know why it happened.',
    'Nothing works any more.',
    'The reason is not the price.',
    '',
  ])('“%s” tells something', (said) => expect(onlyEvades(said)).toBe(false));

  it('is left out of a turn that says more, and politeness beside it is kept', () => {
    expect(withoutEvasions("I'm not going to apologise. The truck broke down.").told).toBe('The truck broke down.');
    expect(withoutEvasions("I'm sorry, but I don't know why.")).toEqual({ told: '', polite: ['sorry'] });
    expect(withoutEvasions("I'm not sorry.")).toEqual({ told: '', polite: [] });
  });
});
