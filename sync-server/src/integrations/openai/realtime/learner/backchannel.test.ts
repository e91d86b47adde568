import { describe, expect, it } from 'vitest';
import { isBackchannel, mayBecomeBackchannel } from './backchannel.ts';

const SOUNDS = 'mm-hm|Mm-hmm.|Mhm|mmm|Hmm.|uh-huh|Uh huh!|Um|uh|Ah.|oh|Aha!|Er|Ehm'.split('|');
const PHRASES =
  'yeah|Yeah, yeah.|Yes.|Right|OK|Okay…|Sure, sure|I see.|Got it|Oh, really?|Of course|yeah, okay, right, I see|All right.'.split(
    '|',
  );
const INTERRUPTIONS =
  'No.|Stop|Wait!|Sorry?|What|But|Excuse me|Yeah, but|Right, so I think|I|I see a problem|okay I have a question|yeah yeah yeah yeah yeah|Sure thing, boss|Ouch|hello|好|да'.split(
    '|',
  );

describe('backchannels', () => {
  it.each([...SOUNDS, ...PHRASES, '', ' … '])('include “%s”', (text) => expect(isBackchannel(text)).toBe(true));

  it.each(INTERRUPTIONS)('exclude “%s”', (text) => expect(isBackchannel(text)).toBe(false));
});

describe('a partial transcript', () => {
  it.each(['ye', 'okay rig', 'I', 'of co', 'uh-', 'got'])('may become agreement: “%s”', (text) =>
    expect(mayBecomeBackchannel(text)).toBe(true),
  );
  it.each(['sto', 'I th', 'yeah bu', 'wait'])('may not: “%s”', (text) =>
    expect(mayBecomeBackchannel(text)).toBe(false),
  );
});
